import clientReferences from 'virtual:vite-rsc/client-references'
import { setRequireModule } from '@vitejs/plugin-rsc/core/browser'

/** Loads the client components that payloads name. */
export type ClientModules = {
  /**
   * Waits for those that are being loaded now.
   * @throws when one of them could not be loaded
   */
  loaded(): Promise<unknown>
}

/** A client component's module, as React's decoder asks for it: by `then`, for each payload. */
type Reference = { then(resolve: (module: unknown) => void): void }

/**
 * Takes the loading of client components over from plugin-rsc, which keeps a rejection for ever.
 * One that failed is tried once more under another URL, because a document remembers a module
 * that arrived broken. After that, what waits for it goes on waiting, and the next payload that
 * names it tries again.
 * @param onFailed called when a module could not be loaded
 */
export function createClientModules(onFailed: (error: unknown) => void): ClientModules {
  const running = new Set<Promise<unknown>>()

  function load(id: string): Reference {
    let loading: Promise<unknown> | null = null
    const left: ((module: unknown) => void)[] = []

    function begin(): Promise<unknown> {
      const trying = importReference(id).catch((error: unknown) => importAgain(id, error))
      running.add(trying)
      const over = () => running.delete(trying)
      trying.then(
        (module) => {
          over()
          for (const resolve of left.splice(0)) resolve(module)
        },
        (error: unknown) => {
          over()
          loading = null
          onFailed(error)
        },
      )
      return trying
    }
    return {
      // biome-ignore lint/suspicious/noThenProperty: what React's decoder expects of a module
      then(resolve) {
        loading ??= begin()
        loading.then(resolve, () => left.push(resolve))
      },
    }
  }

  // plugin-rsc passes on what it is given, and types it as a promise.
  setRequireModule({ load: load as unknown as (id: string) => Promise<unknown> })
  return { loaded: () => Promise.all(running) }
}

function importReference(id: string): Promise<unknown> {
  if (import.meta.env.DEV) return __vite_rsc_raw_import__(import.meta.env.BASE_URL + id.slice(1))
  const load = clientReferences[id]
  return load ? load() : Promise.reject(new Error(`The build has no client component ${id}.`))
}

/** Chromium and Firefox name the URL of a module that they could not load. */
const moduleUrl = /https?:\/\/\S+?\.js(?=$|[\s?'"])/

async function importAgain(id: string, error: unknown): Promise<unknown> {
  const url = error instanceof Error ? moduleUrl.exec(error.message)?.[0] : undefined
  if (url === undefined || import.meta.env.DEV) throw error
  const module: Record<string, unknown> = await __vite_rsc_raw_import__(
    `${url}?retry=${Date.now()}`,
  )
  const reference = module[`export_${id}`]
  if (reference === undefined) throw error
  return reference
}
