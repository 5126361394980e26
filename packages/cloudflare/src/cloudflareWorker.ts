import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type BuildContents,
  type BuiltServer,
  createFetchHandler,
  type FetchHandler,
  type OpenStoresOptions,
  openStores,
  type ServerStores,
} from 'waymark/adapter'
import { createKvCache, type KvNamespace } from './kvCacheDriver.ts'
import { createStateClient, type ObjectNamespace } from './stateClient.ts'
import { createStateJournal } from './stateJournal.ts'
import type { ExecutionContext, FileService } from './workerdWorker.ts'

/** The built app that a worker on Cloudflare serves. */
export type CloudflareWorkerOptions = {
  /** The exports of the built server. */
  readonly server: BuiltServer & ServerStores
  /** The build's contents. Each file is named by the path of its asset. */
  readonly contents: BuildContents
  /** Exports of the module at `AppBuild.stores`. Default: none. */
  readonly stores?: OpenStoresOptions['stores']
  /**
   * Longest time until an invalidation by a different isolate takes effect, in milliseconds.
   * Default: 1 s.
   */
  readonly invalidationDelayMs?: number | undefined
}

/** Bindings of a worker, as the adapter configures them. */
export type CloudflareBindings = {
  /** Serves the assets, including those that clients can't reach. */
  readonly ASSETS: FileService
  /** KV namespace for cached pages and results. Without it, they are in memory. */
  readonly waymarkCache?: KvNamespace
  /** Durable Object with the state that all isolates share. Without it, the state is in memory. */
  readonly waymarkState?: ObjectNamespace
}

/** A worker, as its module exports it to Cloudflare. */
export type CloudflareWorker = {
  fetch(
    request: Request,
    bindings: CloudflareBindings,
    context: ExecutionContext,
  ): Promise<Response>
}

/** Creates a worker for Cloudflare that serves an app. */
export function createCloudflareWorker(options: CloudflareWorkerOptions): CloudflareWorker {
  const { server, contents } = options
  // The runtime sets `process.env` before it loads the worker. So a missing secret already fails
  // the deployment, which loads the worker once.
  server.appSecrets()
  const contexts = new AsyncLocalStorage<ExecutionContext>()
  const keepAlive = (work: Promise<unknown>) => contexts.getStore()?.waitUntil(work)
  let handle: FetchHandler | null = null
  let opening: Promise<void> | null = null

  async function respond(
    request: Request,
    bindings: CloudflareBindings,
    context: ExecutionContext,
  ): Promise<Response> {
    opening ??= attachStores(options, bindings, keepAlive).catch((thrown) => {
      // The next request tries again.
      opening = null
      throw thrown
    })
    // Keep the isolate running if the first client leaves, because other requests wait, too.
    context.waitUntil(opening)
    await opening
    handle ??= createFetchHandler({
      server,
      contents,
      // Cloudflare compresses responses itself.
      compression: false,
      read: (file) => readAsset(bindings.ASSETS, file),
    })
    // Copy the request, because a worker's own requests have immutable headers.
    const changeable = URL.canParse(request.url) ? new Request(request) : request
    return handle(changeable, {
      waitUntil: (work) => context.waitUntil(work),
      // Cloudflare sets this header itself, and clients can't change it.
      remoteAddress: request.headers.get('cf-connecting-ip'),
    })
  }

  return {
    fetch: (request, bindings, context) =>
      contexts.run(context, () => respond(request, bindings, context)),
  }
}

/**
 * Attaches the app's own stores, which `server.ts` opens or a variable selects. Otherwise attaches
 * KV and the Durable Object.
 */
async function attachStores(
  { server, stores, invalidationDelayMs }: CloudflareWorkerOptions,
  { waymarkCache: kv, waymarkState: namespace }: CloudflareBindings,
  keepAlive: (work: Promise<unknown>) => void,
): Promise<void> {
  const log = (line: string) => console.error(line)
  let hasCache = false
  let hasJournal = false
  const observed: ServerStores = {
    ...server,
    attachCache(driver) {
      hasCache = true
      server.attachCache(driver)
    },
    attachJournal(driver) {
      hasJournal = true
      server.attachJournal(driver)
    },
  }
  const hasHostStores = namespace !== undefined
  await openStores({ server: observed, stores, hasHostStores, env: process.env, log })
  if (!namespace) return
  const call = createStateClient(namespace)
  if (!hasCache && kv) {
    const delay = invalidationDelayMs === undefined ? {} : { invalidationDelayMs }
    server.attachCache(createKvCache({ kv, call, log, keepAlive, ...delay }))
  }
  if (!hasJournal) server.attachJournal(createStateJournal({ call, log, keepAlive }))
}

async function readAsset(
  assets: FileService,
  file: string,
): Promise<ReadableStream<Uint8Array> | null> {
  const response = await assets.fetch(new Request(new URL(file, 'https://assets')))
  return response.ok ? response.body : null
}
