import type { ServedAssets } from '../builds/servedAssets.ts'
import type { Cache } from '../cache/cache.ts'
import type { CacheDriver } from '../cache/cacheDriver.ts'
import type { MemoryDriver } from '../cache/memoryCacheDriver.ts'
import type { CountsRecord, Endpoint, SentDocument } from '../http/endpoint.ts'
import type { SentRequest } from '../http/response.ts'
import type { KeepRequest } from '../journal/reportError.ts'
import { frameworkError } from '../shared/errors.ts'
import { internalPrefix, workerPath } from '../wire/protocol.ts'
import { isReservedPath } from '../wire/reservedPaths.ts'
import type { FollowPage } from './page/followedPage.ts'
import type { Sealer } from './request/draftMode.ts'
import {
  type AppAround,
  type AroundRequest,
  type ObservingAround,
  readAround,
} from './serverOptions.ts'

/** The parts of an app's server that packages get. */
export type ServerApp = {
  readonly buildId: string
  /** Patterns of the app's pages, as `/blog/[slug]`. */
  readonly patterns: readonly string[]
  /** Actions of the build, by id; empty in development. */
  readonly actions: object
  /** How long browsers wait for a page before they show a notice. */
  readonly navigationTimeoutMs: number
  readonly cache: Cache
  /** The cache in the memory of this process. */
  readonly memory: MemoryDriver
  readonly journal: {
    /** Stores counts. Returns at once and never throws. */
    readonly write: (record: CountsRecord) => void
    /** Calls back before the journal is closed. */
    readonly onClose: (listener: () => void) => void
  }
  /** Seals texts that only this app can read; the app's secret is read with the first call. */
  readonly sealer: () => Sealer
  /**
   * Hashes the credentials of a request: `authorization` and the cookies that may tell who sends it.
   * Requests of the same session have the same hash. It proves nothing by itself: compare it with the
   * hash of an earlier request.
   * @param purpose separates the hashes of different uses
   */
  readonly hashSender: (sent: SentRequest, purpose: string) => string
  /** Tells which assets the server sends; `null` in development, and where another host sends them. */
  readonly servedAssets: () => ServedAssets | null
}

/** The parts that a package adds to an app's server. */
export type ServerPart = {
  /** Responses at URLs below `/_waymark/`, which no route of an app can have. */
  readonly endpoints?: readonly Endpoint[]
  /**
   * Wraps each request inside of the app's own `around`. Responses become private to their clients
   * unless it only observes.
   */
  readonly around?: AroundRequest | ObservingAround
  /** Follows what each page reads while it renders. One package alone can have it. */
  readonly followPage?: FollowPage
  /** Describes the request of an error for its entry in the journal. One package alone can have it. */
  readonly describeRequest?: KeepRequest
  /** Gets the cache driver that all processes of the app share, once it is open. */
  attachCache?(driver: CacheDriver): void
}

/**
 * Creates the server part of a package.
 * @param options `options` of the package, as JSON has left them
 */
export type CreateServerPart<Options = object> = (app: ServerApp, options: Options) => ServerPart

/** A package as the build joins it to the server. */
export type JoinedPackage = {
  readonly name: string
  readonly create: CreateServerPart
  readonly options: object
}

/** Creates the server parts of an app's packages, as one. */
export function joinPackages(packages: readonly JoinedPackage[], app: ServerApp) {
  const parts = packages.map(({ name, create, options }) => ({ name, ...create(app, options) }))
  const endpoints = parts.flatMap((part) => part.endpoints ?? [])
  const arounds: readonly AppAround[] = parts.flatMap(({ around }) =>
    around === undefined ? [] : readAround(around),
  )
  checkPaths(parts)
  const hasWorker = endpoints.some(({ path }) => path === workerPath)
  const observers = endpoints.flatMap(({ onDocument }) => onDocument ?? [])
  const meters = endpoints.flatMap(({ metrics }) => metrics ?? [])
  return {
    endpoints: hasWorker ? endpoints : [...endpoints, withoutWorker],
    arounds,
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
    /** `undefined` where no package observes documents: the server then need not look for them. */
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
 * @throws `PACKAGE_ENDPOINT` for a path that an app's routes could have, for one of Waymark's own, and
 * for one that another package has
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
 * Picks what one package alone may have.
 * @throws `PACKAGE_HOOK_TAKEN` when two packages have it
 */
function theOnly<Part>(
  hook: string,
  parts: readonly { readonly name: string; readonly part: Part | undefined }[],
): Part | undefined {
  const [first, second] = parts.filter(({ part }) => part !== undefined)
  if (first && second) {
    throw frameworkError('PACKAGE_HOOK_TAKEN', { hook, names: [first.name, second.name] })
  }
  return first?.part
}

/**
 * Served where no package has a service worker: removes the one of an earlier build, with the pages
 * that it kept.
 */
const withoutWorker: Endpoint = {
  path: workerPath,
  handle: async () => ({
    status: 200,
    headers: [
      ['content-type', 'text/javascript'],
      ['cache-control', 'no-cache'],
      // Browsers refuse a worker without this header, and keep the earlier one.
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
