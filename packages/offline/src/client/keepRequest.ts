import { pageDataUrl, workerPath } from 'waymark/plugin/client'
import type { KeepRequest } from '../shared/messages.ts'
import { policyName } from '../shared/policy.ts'

/** Types of files to cache with a page. Videos are too large, and data is handled by the app. */
const cacheableTypes: ReadonlySet<string> = new Set([
  'css',
  'img',
  'input',
  'link',
  'other',
  'script',
])

/**
 * True if the current page may be cached although it is private. A dev server's pages can always be
 * cached.
 */
export function mayBePrivate(document: Document, isDev: boolean): boolean {
  return isDev || document.querySelector(`head>meta[name=${policyName}]`) !== null
}

/** Builds the request to cache the page on the screen. */
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

/** False if the user has asked browsers to save data. */
export function mayKeep({ connection }: Navigator & { connection?: { saveData?: boolean } }) {
  return connection?.saveData !== true
}
