import type { LazyModule } from './assets/lazyModule.ts'
import type { HydratedDocument, RouterCore } from './routerCore.ts'
import type { BootRuntime } from './runtime.ts'

/** Starts React and the router, each once. */
export type Loader = {
  /** Fetches the code of both, and no more. */
  load(): void
  /** Lets React take over the document. */
  hydrate(): Promise<HydratedDocument>
  /** Starts the router, and React before. @returns rejects when either can't be had now */
  start(): Promise<RouterCore>
  /** What React takes over, once that has begun. */
  document(): HydratedDocument | null
  /** The router, once it runs. */
  router(): RouterCore | null
  /** Whether either was asked for. */
  readonly hasBegun: boolean
}

/**
 * Makes the starter of a document.
 * @param options made at the first start
 * @param shell resolves once there is something to take over
 */
export function createLoader(
  options: () => BootRuntime,
  late: LazyModule<typeof import('./routerChunk.ts')>,
  shell: Promise<void>,
): Loader {
  let hydrated: HydratedDocument | null = null
  let hydrating: Promise<HydratedDocument> | null = null
  let running: RouterCore | null = null
  const load = () => import('./startReact.tsx')

  async function takeOver(): Promise<HydratedDocument> {
    const { start } = await load().catch((error: unknown) => {
      // The next one who asks tries again.
      hydrating = null
      throw error
    })
    await shell
    hydrated = await start(options())
    return hydrated
  }
  function hydrate(): Promise<HydratedDocument> {
    hydrating ??= takeOver()
    // Who waits for it hears of it.
    hydrating.catch(() => {})
    return hydrating
  }
  async function begin(): Promise<RouterCore> {
    const [{ createRouter }, document] = await Promise.all([late.load(), hydrate()])
    running ??= createRouter(options(), document)
    return running
  }
  return {
    hydrate,
    load() {
      load().catch(() => {})
      late.load().catch(() => {})
    },
    start() {
      const starting = begin()
      starting.catch(() => {})
      return starting
    },
    document: () => hydrated,
    router: () => running,
    get hasBegun() {
      return hydrating !== null
    },
  }
}
