import clientReferences from 'virtual:vite-rsc/client-references'
import { setRequireModule } from '@vitejs/plugin-rsc/core/browser'
import { type ImportTimeout, inTime } from './importChunk.ts'
import { importUrl } from './importUrl.ts'

export type ClientModules = ReturnType<typeof createClientModules>

export type MissingModule = {
  readonly error: unknown
  /** Resolves with the module if it arrives after the timeout. */
  readonly delayed: Promise<unknown> | undefined
  /** Resolves the pending references with the module, or with a stand-in. */
  resolve(module: unknown): void
  /** Tries again. @returns rejects when that fails */
  load(): Promise<unknown>
}

/** A client component's module, as React's decoder asks for it: by `then`, for each payload. */
type Reference = { then(resolve: (module: unknown) => void): void }

type Running = { readonly trying: Promise<unknown>; namedAtMs: number }

/**
 * Loads client components in place of plugin-rsc, which keeps a rejection for ever: what needs one
 * stays pending until it arrives, or `onMissing` gives something in its place.
 */
export function createClientModules(onMissing: (missing: MissingModule) => void) {
  const running = new Set<Running>()

  function load(id: string): Reference {
    let loading: Promise<unknown> | null = null
    let run: Running | null = null
    let failures = 0
    const pending: ((module: unknown) => void)[] = []
    const resolveWith = (module: unknown) => {
      for (const resolve of pending.splice(0)) resolve(module)
    }

    async function begin(): Promise<unknown> {
      const coming = importReference(id, failures)
      // A chunk has its own deadline, and is tried again.
      const trying = import.meta.env.DEV ? inTime(coming) : coming
      const attempt = { trying, namedAtMs: performance.now() }
      running.add(attempt)
      run = attempt
      try {
        const module = await trying
        resolveWith(module)
        return module
      } catch (error) {
        loading = null
        failures++
        const { coming } = error as ImportTimeout
        // A build picks the component from its chunk.
        const delayed = import.meta.env.DEV ? coming : coming?.then(begin)
        onMissing({ error, delayed, resolve: resolveWith, load: begin })
        throw error
      } finally {
        running.delete(attempt)
      }
    }
    return {
      // biome-ignore lint/suspicious/noThenProperty: what React's decoder expects of a module
      then(resolve) {
        loading ??= begin()
        if (run) run.namedAtMs = performance.now()
        loading.then(resolve, () => pending.push(resolve))
      },
    }
  }

  setRequireModule({ load: load as unknown as (id: string) => Promise<unknown> })
  const select = (isIt: (namedAtMs: number) => boolean) =>
    [...running].flatMap(({ trying, namedAtMs }) => (isIt(namedAtMs) ? trying : []))
  return {
    /**
     * Resolves when those named since then (`performance.now()`) are there; rejects when one can't
     * be.
     */
    loaded: (sinceMs = 0): Promise<unknown> => Promise.all(select((atMs) => atMs >= sinceMs)),
    /** Resolves once none of those is being loaded that payloads have named only before. */
    settledBefore: (sinceMs: number): Promise<unknown> =>
      Promise.allSettled(select((atMs) => atMs < sinceMs)),
  }
}

/** True for an error of Chromium, Firefox or WebKit that says that code did not arrive. */
export function isNotArrived(thrown: unknown): boolean {
  // React says that it could not hydrate, and why.
  const error = (thrown instanceof Error && thrown.cause) || thrown
  if (error instanceof DOMException) return error.name === 'TimeoutError'
  return (
    error instanceof TypeError && /dynamically imported|importing a module/i.test(error.message)
  )
}

async function importReference(id: string, failures: number): Promise<unknown> {
  // The dev server has no chunks: an id is a module's URL there.
  if (import.meta.env.DEV) {
    const url = import.meta.env.BASE_URL + id.slice(1)
    // A document remembers what failed, by its URL; for the server a time makes no other module.
    const fresh = failures > 0 ? `${url.includes('?') ? '&' : '?'}t=${Date.now()}` : ''
    return importUrl(url + fresh)
  }
  const load = clientReferences[id]
  if (!load) throw new Error(`The build has no client component ${id}.`)
  const module = await load()
  // A broken response may still be a valid module: another one, or the beginning of this one.
  if (module === undefined) throw new Error(`The client component ${id} is not in its chunk.`)
  return module
}
