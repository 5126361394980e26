import { pageDataUrl, protocol } from 'waymark/internal'
import type { KeepRequest } from '../shared/messages.ts'
import { policyName } from '../shared/policy.ts'

/** What a page shows and runs; films are too large, and data is the app's. */
const keptTypes: ReadonlySet<string> = new Set(['css', 'img', 'input', 'link', 'other', 'script'])

/** Asks for the page on the screen to be kept. @param isDev a dev server's pages are all private */
export function createKeepRequest(view: Window, seal: string, isDev: boolean): KeepRequest {
  const { document, location, performance } = view
  const loaded = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
  const files = loaded
    .filter(({ initiatorType }) => keptTypes.has(initiatorType))
    .map(({ name }) => new URL(name))
    .filter(({ origin }) => origin === location.origin)
    .map(({ pathname, search }) => pathname + search)
    .filter((path) => !path.includes('/_waymark/data') && !path.endsWith(protocol.workerPath))
  return {
    page: { document: location.pathname + location.search, data: pageDataUrl(location) },
    files,
    seal,
    mayBePrivate: isDev || document.querySelector(`head>meta[name=${policyName}]`) !== null,
  }
}

/** Not where the user pays for each byte. */
export function mayKeep({ connection }: Navigator & { connection?: { saveData?: boolean } }) {
  return connection?.saveData !== true
}
