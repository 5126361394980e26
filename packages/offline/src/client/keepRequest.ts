import { pageDataUrl, workerPath } from 'waymark/plugin/client'
import type { KeepRequest } from '../shared/messages.ts'
import { policyName } from '../shared/policy.ts'

/** What a page shows and runs; films are too large, and data is the app's. */
const cacheableTypes: ReadonlySet<string> = new Set([
  'css',
  'img',
  'input',
  'link',
  'other',
  'script',
])

/** True if the page on the screen may be kept although it is private, as all of a dev server's are. */
export function mayBePrivate(document: Document, isDev: boolean): boolean {
  return isDev || document.querySelector(`head>meta[name=${policyName}]`) !== null
}

/** Asks for the page on the screen to be kept. */
export function createKeepRequest(view: Window, seal: string, isDev: boolean): KeepRequest {
  const { document, location, performance } = view
  const loaded = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
  const files = loaded
    .filter(({ initiatorType }) => cacheableTypes.has(initiatorType))
    .map(({ name }) => new URL(name))
    .filter(({ origin }) => origin === location.origin)
    .map(({ pathname, search }) => pathname + search)
    .filter((path) => !path.includes('/_waymark/data') && !path.endsWith(workerPath))
  return {
    page: { document: location.pathname + location.search, data: pageDataUrl(location) },
    files,
    seal,
    mayBePrivate: mayBePrivate(document, isDev),
  }
}

/** Not where the user pays for each byte. */
export function mayKeep({ connection }: Navigator & { connection?: { saveData?: boolean } }) {
  return connection?.saveData !== true
}
