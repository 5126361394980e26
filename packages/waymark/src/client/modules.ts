import clientReferences from 'virtual:vite-rsc/client-references'
import { setRequireModule } from '@vitejs/plugin-rsc/core/browser'

/** Loads the client components that payloads name. */
export type ClientModules = {
  /** Resolves once all that were named so far are loaded. */
  loaded(): Promise<unknown>
  /** Tries those again that could not be loaded. */
  retry(): void
}

/** A module that did not come: what waits for it goes on waiting, until a retry succeeds. */
type Failed = { readonly again: () => void }

/**
 * Takes the loading of client components over from plugin-rsc, which keeps a rejection for ever:
 * one that failed is tried once more under another URL, because a document remembers a module
 * that arrived broken; and it stays pending after that, so that a later retry can still mend it.
 * @param onFailed called when a module could not be loaded
 */
export function createClientModules(onFailed: (error: unknown) => void): ClientModules {
  const pending = new Set<Promise<unknown>>()
  const failed = new Set<Failed>()

  function load(id: string): Promise<unknown> {
    const loading = new Promise((resolve) => {
      const attempt = () =>
        importReference(id)
          .catch((error: unknown) => importAgain(id, error))
          .then(resolve, (error: unknown) => {
            failed.add({ again: attempt })
            onFailed(error)
          })
      attempt()
    })
    pending.add(loading)
    void loading.then(() => pending.delete(loading))
    return loading
  }

  setRequireModule({ load })
  return {
    loaded: () => Promise.all(pending),
    retry() {
      const again = [...failed]
      failed.clear()
      for (const each of again) each.again()
    },
  }
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
