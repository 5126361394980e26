import clientReferences from 'virtual:vite-rsc/client-references'
import { setRequireModule } from '@vitejs/plugin-rsc/core/browser'
import { type ImportTimeout, inTime } from './importChunk.ts'
import { importUrl } from './importUrl.ts'

export type ClientModules = ReturnType<typeof createClientModules>

export type MissingModule = {
  readonly error: unknown
  /** Resolves with the module if it arrives after the timeout after all. */
  readonly delayed: Promise<unknown> | undefined
  /** Gives the module, or a stand-in, to the parts of the page that wait for it. */
  resolve(module: unknown): void
  /** Imports the module again. Rejects if the import fails. */
  load(): Promise<unknown>
}

/** The module of a client component. React's decoder calls `then` for each payload. */
type Reference = { then(resolve: (module: unknown) => void): void }

type Running = { readonly trying: Promise<unknown>; namedAtMs: number }

/**
 * Loads client components. plugin-rsc's own loader remembers a rejection forever. With this one,
 * parts of a page that need a missing component stay pending until the component arrives or
 * `onMissing` resolves it with a stand-in.
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
      // Set a deadline only in development. In builds, importing a chunk already has a deadline and
      // retries.
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
        // In builds, the delayed promise resolves to a whole chunk, from which `begin` picks the
        // component.
        const delayed = import.meta.env.DEV ? coming : coming?.then(begin)
        onMissing({ error, delayed, resolve: resolveWith, load: begin })
        throw error
      } finally {
        running.delete(attempt)
      }
    }
    return {
      // biome-ignore lint/suspicious/noThenProperty: React's decoder expects a `then`
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
     * Waits for the modules that payloads have requested since a given time. Rejects if one can't
     * be loaded.
     * @param sinceMs a value of `performance.now()`
     */
    loaded: (sinceMs = 0): Promise<unknown> => Promise.all(select((atMs) => atMs >= sinceMs)),
    /** Waits for the modules that payloads requested only before the given time. Never rejects. */
    settledBefore: (sinceMs: number): Promise<unknown> =>
      Promise.allSettled(select((atMs) => atMs < sinceMs)),
  }
}

/** True for the errors with which Chromium, Firefox and WebKit report code that didn't arrive. */
export function isNotArrived(thrown: unknown): boolean {
  // If hydration fails, React's error has the original error as its cause.
  const error = (thrown instanceof Error && thrown.cause) || thrown
  if (error instanceof DOMException) return error.name === 'TimeoutError'
  return (
    error instanceof TypeError && /dynamically imported|importing a module/i.test(error.message)
  )
}

async function importReference(id: string, failures: number): Promise<unknown> {
  // In the dev server, an id is the URL of a module, because there are no chunks.
  if (import.meta.env.DEV) {
    const url = import.meta.env.BASE_URL + id.slice(1)
    // The browser remembers failed imports by URL, so add a timestamp to the URL, which the server
    // ignores.
    const fresh = failures > 0 ? `${url.includes('?') ? '&' : '?'}t=${Date.now()}` : ''
    return importUrl(url + fresh)
  }
  const load = clientReferences[id]
  if (!load) throw new Error(`The build has no client component ${id}.`)
  const module = await load()
  // A broken response may still be a valid module: a different one, or the beginning of this one.
  // So make sure that the component is in it.
  if (module === undefined)
    throw new Error(`The chunk for the client component ${id} doesn't contain it.`)
  return module
}
