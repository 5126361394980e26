import type { ReactElement } from 'react'
import type { ServedAssets } from '../builds/servedAssets.ts'
import type { Cache } from '../cache/cache.ts'
import type { CacheDriver } from '../cache/cacheDriver.ts'
import type { MemoryDriver } from '../cache/memoryCacheDriver.ts'
import type { CountsRecord, Endpoint, SentDocument } from '../http/endpoint.ts'
import type { SentRequest } from '../http/response.ts'
import type { KeepRequest } from '../journal/reportError.ts'
import type { RouteUrls } from '../routing/routeUrls.ts'
import { frameworkError } from '../shared/errors.ts'
import { timedOut, withDeadline } from '../shared/promises.ts'
import { internalPrefix, workerPath } from '../wire/protocol.ts'
import { isReservedPath } from '../wire/reservedPaths.ts'
import type { FollowPage } from './page/followedPage.ts'
import type { Sealer } from './request/draftMode.ts'
import type { ServerObserver } from './request/serverObserver.ts'
import {
  type AppAround,
  type AroundRequest,
  type ObservingAround,
  readAround,
} from './serverOptions.ts'

/** The parts of an app's server that packages may use. */
export type ServerApp = {
  readonly buildId: string
  /** Patterns of the app's pages, such as `/blog/[slug]`. */
  readonly patterns: readonly string[]
  /** Returns the pattern of the route that a path matches; `null` if none does. */
  readonly patternOf: (routePathname: string) => string | null
  /** The build's actions, keyed by id; empty in development. */
  readonly actions: object
  /** Milliseconds that browsers wait for a page before they show a notice. */
  readonly navigationTimeoutMs: number
  readonly cache: Cache
  /** The in-memory cache of this process. */
  readonly memory: MemoryDriver
  readonly journal: {
    /** Stores counts in the journal. Returns at once and never throws. */
    readonly write: (record: CountsRecord) => void
    /** Registers a listener that runs before the journal is closed. */
    readonly onClose: (listener: () => void) => void
  }
  /**
   * Returns an object that encrypts strings so that only this app can decrypt them. The first call reads the app's
   * secret.
   */
  readonly sealer: () => Sealer
  /**
   * Hashes the credentials of a request: the `authorization` header and the cookies that may
   * identify the user. Requests in the same session have the same hash. A hash alone proves
   * nothing: compare it with the hash of an earlier request.
   * @param purpose name of the use, so that different uses get different hashes
   */
  readonly hashSender: (sent: SentRequest, purpose: string) => string
  /** Stores an error that occurred outside of requests in the journal. @returns its digest */
  readonly report: (thrown: unknown) => string
  /**
   * Lists the assets that this server sends; `null` in development, and if a different host sends
   * them.
   */
  readonly servedAssets: () => ServedAssets | null
}

/** The parts that a package adds to an app's server. */
export type ServerPart = {
  /** Endpoints below `/_waymark/`, where an app can't have routes. */
  readonly endpoints?: readonly Endpoint[]
  /**
   * Wraps each request, inside the app's own `around`. Responses become `private`, unless the hook
   * has `observes: true`.
   */
  readonly around?: AroundRequest | ObservingAround
  /** Gives pages URLs that differ from their folders. Only one package may have this part. */
  readonly routeUrls?: RouteUrls
  /**
   * Wraps the element of a route file, such as a layout, a page or an error screen, for example in
   * a context provider. Runs each time the file is rendered, and must not throw.
   * @param file path below the `app` folder, such as `blog/page.tsx`
   */
  wrapFile?(element: ReactElement, file: string): ReactElement
  /** Follows requests and their steps. Only one package may have this part. */
  readonly observer?: ServerObserver
  /** Tracks the data that each page reads while it renders. Only one package may have this hook. */
  readonly followPage?: FollowPage
  /**
   * Describes the request that caused an error, for the journal. Only one package may have this
   * hook.
   */
  readonly describeRequest?: KeepRequest
  /** Called when the cache driver is open that all processes of the app share. */
  attachCache?(driver: CacheDriver): void
  /** Ends the package's work at shutdown, before the cache and the journal are closed. */
  close?(): Promise<void>
}

/**
 * Creates a package's server part.
 * @param options the package's `options`, after a round trip through JSON
 */
export type CreateServerPart<Options = object> = (app: ServerApp, options: Options) => ServerPart

/** A package as the build passes it to the server. */
export type JoinedPackage = {
  readonly name: string
  readonly create: CreateServerPart
  readonly options: object
}

/** Milliseconds after which the server shuts down even if a package hasn't closed. */
const closeWithinMs = 20_000

/** Creates the server parts of an app's packages and joins them into one. */
export function joinPackages(packages: readonly JoinedPackage[], app: ServerApp) {
  const parts = packages.map(({ name, create, options }) => ({ name, ...create(app, options) }))
  const endpoints = parts.flatMap((part) => part.endpoints ?? [])
  const arounds: readonly AppAround[] = parts.flatMap(({ around }) =>
    around === undefined ? [] : readAround(around),
  )
  checkPaths(parts)
  let closing: Promise<void> | null = null
  const closeParts = async () => {
    const closings = Promise.allSettled(parts.map(async (part) => part.close?.()))
    const results = await withDeadline(closings, closeWithinMs)
    if (results === timedOut) return
    for (const each of results) if (each.status === 'rejected') app.report(each.reason)
  }
  const hasWorker = endpoints.some(({ path }) => path === workerPath)
  const observers = endpoints.flatMap(({ onDocument }) => onDocument ?? [])
  const meters = endpoints.flatMap(({ metrics }) => metrics ?? [])
  const wrappers = parts.flatMap((part) => (part.wrapFile ? [part] : []))
  const wrapFile = (element: ReactElement, file: string) =>
    wrappers.reduce((inner, part) => part.wrapFile?.(inner, file) ?? inner, element)
  return {
    endpoints: hasWorker ? endpoints : [...endpoints, withoutWorker],
    arounds,
    routeUrls: theOnly(
      'routeUrls',
      parts.map(({ name, routeUrls: part }) => ({ name, part })),
    ),
    /** `undefined` if no package wraps files. */
    wrapFile: wrappers.length === 0 ? undefined : wrapFile,
    observer: theOnly(
      'observer',
      parts.map(({ name, observer: part }) => ({ name, part })),
    ),
    followPage: theOnly(
      'followPage',
      parts.map(({ name, followPage: part }) => ({ name, part })),
    ),
    describeRequest: theOnly(
      'describeRequest',
      parts.map(({ name, describeRequest: part }) => ({ name, part })),
    ),
    attachCache(driver: CacheDriver): void {
      for (const part of parts) part.attachCache?.(driver)
    },
    /** Closes each part once. Never rejects, and resolves within 20 s. */
    close(): Promise<void> {
      closing ??= closeParts()
      return closing
    },
    /**
     * `undefined` if no package observes documents, so that the server doesn't have to follow them.
     */
    onDocument:
      observers.length === 0
        ? undefined
        : (sent: SentDocument) => {
            for (const observe of observers) observe(sent)
          },
    metrics: meters.length === 0 ? undefined : () => meters.map((print) => print()).join(''),
  }
}

/**
 * Checks the paths of all endpoints.
 * @throws `PACKAGE_ENDPOINT` for a path outside `/_waymark/`, or one that Waymark or a different
 * package already uses
 */
function checkPaths(parts: readonly (ServerPart & { readonly name: string })[]): void {
  const names = new Map<string, string>()
  for (const { name, endpoints = [] } of parts) {
    for (const { path } of endpoints) {
      const other = names.get(path) ?? null
      const isReserved = isReservedPath(path)
      const isValid = path.startsWith(internalPrefix) && !/[?#]/.test(path)
      if (other !== null || isReserved || !isValid) {
        throw frameworkError('PACKAGE_ENDPOINT', { name, path, other, isReserved })
      }
      names.set(path, name)
    }
  }
}

/**
 * Returns a hook that only one package may have.
 * @throws `PACKAGE_HOOK_CONFLICT` if two packages have the hook
 */
function theOnly<Part>(
  hook: string,
  parts: readonly { readonly name: string; readonly part: Part | undefined }[],
): Part | undefined {
  const [first, second] = parts.filter(({ part }) => part !== undefined)
  if (first && second) {
    throw frameworkError('PACKAGE_HOOK_CONFLICT', { hook, names: [first.name, second.name] })
  }
  return first?.part
}

/**
 * Responds to requests for the service worker if no package has one. The script unregisters an
 * earlier build's worker and deletes the pages that it stored.
 */
const withoutWorker: Endpoint = {
  path: workerPath,
  handle: async () => ({
    status: 200,
    headers: [
      ['content-type', 'text/javascript'],
      ['cache-control', 'no-cache'],
      // Without this header, browsers refuse the new worker and keep the old one.
      ['service-worker-allowed', '/'],
    ],
    body: `addEventListener('install', () => skipWaiting())
addEventListener('activate', (event) => event.waitUntil(remove().then(() => registration.unregister())))
async function remove() {
  const own = 'waymark-offline' + encodeURIComponent(location.pathname.split('/_waymark/')[0]) + '/'
  for (const name of await caches.keys()) if (name.startsWith(own)) await caches.delete(name)
  indexedDB.deleteDatabase(own.slice(0, -1))
}
`,
  }),
}
