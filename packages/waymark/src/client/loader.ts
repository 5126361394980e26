import type { LazyModule } from './assets/lazyModule.ts'
import type { BootRuntime, HydratedDocument, Loader, RouterCore } from './runtime.ts'

/**
 * Creates the loader of a document.
 * @param runtime called at the first start
 * @param shell resolves once there is something to take over
 */
export function createLoader(
  runtime: () => BootRuntime,
  routerChunk: LazyModule<typeof import('./routerChunk.ts')>,
  shell: Promise<void>,
): Loader {
  let hydrated: HydratedDocument | null = null
  let hydrating: Promise<HydratedDocument> | null = null
  let router: RouterCore | null = null
  const load = () => import('./startReact.tsx')

  async function takeOver(): Promise<HydratedDocument> {
    const { start } = await load().catch((error: unknown) => {
      // The next call tries again.
      hydrating = null
      throw error
    })
    await shell
    hydrated = await start(runtime())
    return hydrated
  }
  function hydrate(): Promise<HydratedDocument> {
    hydrating ??= takeOver()
    // Callers that wait get the error.
    hydrating.catch(() => {})
    return hydrating
  }
  async function begin(): Promise<RouterCore> {
    const [{ createRouter }, document] = await Promise.all([routerChunk.load(), hydrate()])
    router ??= createRouter(runtime(), document)
    return router
  }
  return {
    hydrate,
    preload() {
      load().catch(() => {})
      routerChunk.load().catch(() => {})
    },
    start() {
      const starting = begin()
      starting.catch(() => {})
      return starting
    },
    document: () => hydrated,
    router: () => router,
    get hasBegun() {
      return hydrating !== null
    },
  }
}
