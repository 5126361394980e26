import clientReferences from 'virtual:vite-rsc/client-references'
import { setRequireModule } from '@vitejs/plugin-rsc/core/browser'
import { importModule } from './importModule.ts'
import type { LazyModule } from './lazyModule.ts'
import type { retryImport } from './retryImport.ts'

/** Loads the client components that payloads name. */
export type ClientModules = {
  /**
   * Resolves once those that are being loaded are there.
   * @throws when one of them could not be loaded
   */
  loaded(): Promise<unknown>
}

type RetryChunk = LazyModule<{ readonly retryImport: typeof retryImport }>

/** A client component's module, as React's decoder asks for it: by `then`, for each payload. */
type Reference = { then(resolve: (module: unknown) => void): void }

/**
 * Takes the loading of client components over from plugin-rsc, which keeps a rejection for ever.
 * One that failed is tried once more under another URL, because a document remembers a module
 * that arrived broken. After that, what needs it stays pending, and the next payload that
 * names it tries again.
 * @param routerChunk has the code that tries again
 * @param onFailed called when a module could not be loaded
 */
export function createClientModules(
  routerChunk: RetryChunk,
  onFailed: (error: unknown) => void,
): ClientModules {
  const running = new Set<Promise<unknown>>()

  function load(id: string): Reference {
    let loading: Promise<unknown> | null = null
    const pending: ((module: unknown) => void)[] = []

    async function begin(): Promise<unknown> {
      const trying = importReference(id).catch((error: unknown) =>
        importAgain(id, error, routerChunk),
      )
      running.add(trying)
      try {
        const module = await trying
        for (const resolve of pending.splice(0)) resolve(module)
        return module
      } catch (error) {
        loading = null
        onFailed(error)
        throw error
      } finally {
        running.delete(trying)
      }
    }
    return {
      // biome-ignore lint/suspicious/noThenProperty: what React's decoder expects of a module
      then(resolve) {
        loading ??= begin()
        loading.then(resolve, () => pending.push(resolve))
      },
    }
  }

  // plugin-rsc passes on what it is given, and types it as a promise.
  setRequireModule({ load: load as unknown as (id: string) => Promise<unknown> })
  return { loaded: () => Promise.all(running) }
}

async function importReference(id: string): Promise<unknown> {
  // The dev server has no chunks: an id is a module's URL there.
  if (import.meta.env.DEV) return importModule(import.meta.env.BASE_URL + id.slice(1))
  const load = clientReferences[id]
  if (!load) throw new Error(`The build has no client component ${id}.`)
  return registered(await load(), id)
}

async function importAgain(id: string, error: unknown, routerChunk: RetryChunk): Promise<unknown> {
  const { retryImport } = await routerChunk.load()
  const module = await retryImport(clientReferences[id], error)
  return registered(module[`export_${id}`], id)
}

// A response that is a module, but another one.
function registered(reference: unknown, id: string): unknown {
  if (reference === undefined) throw new Error(`The client component ${id} is not in its chunk.`)
  return reference
}
