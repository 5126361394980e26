import { workerPath } from './protocol.ts'
import type { HandlerResponse, ServerRequest } from './response.ts'
import type { OfflineOptions } from './settings.ts'

/** A response to a browser that opens a URL, as far as its server knows. */
export type SentDocument = {
  /** Pattern; `null` for files and for URLs without a route. */
  readonly route: string | null
  readonly status: number
  /** The client left, or the response broke off. */
  readonly isCut: boolean
}

/** Responds at a URL below `/_waymark/` in place of the app. */
export type Endpoint = {
  /** Without the app's base path. */
  readonly path: string
  /** @returns `null` where the app has to respond */
  handle(request: ServerRequest): Promise<HandlerResponse | null>
  /** For scrapers, in the text format of Prometheus. */
  readonly metrics?: (() => string) | undefined
  /** Called for each document that a Node server has sent. */
  readonly onDocument?: ((document: SentDocument) => void) | undefined
}

/** What a package has counted, such as the arrivals of pages: a record of the journal. */
export type CountsRecord = {
  readonly kind: 'counts'
  /** Of the package's counts. */
  readonly name: string
  readonly fromMs: number
  readonly toMs: number
  /** JSON, which the package checks as it reads it. */
  readonly data: unknown
}

/** Creates an endpoint of a package. */
export type CreateEndpoint = (app: {
  readonly buildId: string
  /** Of the pages of the app. */
  readonly patterns: readonly string[]
  /** Stores counts in the journal. Returns at once and never throws. */
  readonly write: (record: CountsRecord) => void
  /** Calls back before the journal is closed. */
  readonly onClose: (listener: () => void) => void
}) => Endpoint

/** Creates the endpoints of `@waymark/offline`. @param options `timeoutMs` is that of navigations */
export type CreateOffline = (
  options: OfflineOptions & { readonly timeoutMs: number },
  buildId: string,
) => readonly Endpoint[]

/** In place of the service worker of a build that had `@waymark/offline`: removes what its app kept. */
export const withoutWorker: Endpoint = {
  path: workerPath,
  handle: async () => ({
    status: 200,
    headers: [
      ['content-type', 'text/javascript'],
      ['cache-control', 'no-cache'],
      // Else a browser refuses it, and keeps the one of before.
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
