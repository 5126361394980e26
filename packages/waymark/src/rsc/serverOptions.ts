import type { CacheDriver } from '../cache/cacheDriver.ts'
import type { JournalDriver } from '../journal/journalDriver.ts'
import { frameworkError } from '../shared/errors.ts'

/** What an app's `server.ts` exports as default: its own stores, and what it wraps requests in. */
export type ServerOptions = {
  /** Opens the cache, once for each process that serves the app. Default: files. */
  readonly cache?: () => CacheDriver | Promise<CacheDriver>
  /** Opens the journal of errors, likewise. */
  readonly journal?: () => JournalDriver | Promise<JournalDriver>
  readonly around?: AroundRequest
  /** Documents rendered at the same time by each process; others get 503 with `retry-after`. */
  readonly maxDocuments?: number
}

/**
 * Runs around each request for a page, its data, a route handler or an action.
 * @param request with the URL of the page, also where its data is requested
 * @param handle runs the app, `proxy.ts` included. Never rejects: a failure is a response, too
 * @returns the response of `handle`, with other headers perhaps, or one of its own
 */
export type AroundRequest = (
  request: Request,
  handle: () => Promise<Response>,
) => Response | Promise<Response>

export type AppServer = {
  readonly openCache: (() => Promise<CacheDriver>) | null
  readonly openJournal: (() => Promise<JournalDriver>) | null
  readonly around: AroundRequest | null
  readonly maxDocuments: number | null
}

const driverMethods = {
  cache: ['get', 'set', 'delete', 'invalidate', 'position', 'onInvalidated', 'lease'],
  journal: ['write', 'list', 'groups', 'find', 'flush'],
} as const

/** @param module `null` when the app has none @throws `SERVER_EXPORT` */
export function readServerOptions(module: Readonly<Record<string, unknown>> | null): AppServer {
  const options = module === null ? {} : module.default
  if (typeof options !== 'object' || options === null) {
    throw frameworkError('SERVER_EXPORT', { reason: 'it has no object as its default export' })
  }
  const { cache, journal, around, maxDocuments = null, ...others } = options as ServerOptions
  for (const name of Object.keys(others)) {
    throw frameworkError('SERVER_EXPORT', { reason: `it knows no option ${name}` })
  }
  for (const [name, value] of Object.entries({ cache, journal, around })) {
    if (value === undefined || typeof value === 'function') continue
    throw frameworkError('SERVER_EXPORT', { reason: `its ${name} is no function` })
  }
  if (maxDocuments !== null && !(Number.isInteger(maxDocuments) && maxDocuments > 0)) {
    throw frameworkError('SERVER_EXPORT', { reason: 'its maxDocuments is no whole number above 0' })
  }
  return {
    maxDocuments,
    openCache: opener('cache', cache),
    openJournal: opener('journal', journal),
    around: around ?? null,
  }
}

function opener<Driver extends object>(
  name: keyof typeof driverMethods,
  open: (() => Driver | Promise<Driver>) | undefined,
): (() => Promise<Driver>) | null {
  if (open === undefined) return null
  return async () => {
    const driver = await open()
    const missing = [...driverMethods[name], 'close'].filter(
      (method) => typeof (driver as Record<string, unknown> | undefined)?.[method] !== 'function',
    )
    if (missing.length > 0) throw frameworkError('SERVER_DRIVER', { name, missing })
    return driver
  }
}
