import { timeoutMs } from 'virtual:waymark/limits'
import { importWhole } from './importUrl.ts'
import { createLazyModule } from './lazyModule.ts'

/**
 * The code for retries, which is loaded with the router, or earlier when an import fails.
 */
const retries = createLazyModule(() => inTime(import('./retryImport.ts'), timeoutMs / 2))

const imported = new Map<string, Promise<unknown>>()

/** Property of an import's `TimeoutError`: the promise of the import, which may still succeed later. */
export type ImportTimeout = { readonly coming?: Promise<unknown> }

/**
 * Waits for an import. @throws a `TimeoutError` with the properties of `ImportTimeout` after `ms`
 */
export function inTime<T>(coming: Promise<T>, ms = timeoutMs): Promise<T> {
  return new Promise((resolve, reject) => {
    const timeoutError = new DOMException('The code did not arrive in time.', 'TimeoutError')
    setTimeout(reject, ms, Object.assign(timeoutError, { coming }))
    coming.then(resolve, reject)
  })
}

/**
 * Imports a client file. If the first attempt fails or takes longer than half of a navigation's time
 * limit, imports the file again under a different URL.
 * @param url the URL of the file; `null` if it is unknown, so that the import can't be repeated
 * @param first the first attempt
 */
export function importChunk<T>(url: string | null, first: Promise<T>): Promise<T> {
  return inTime(
    inTime(first, timeoutMs / 2).catch(async (error: unknown) => {
      const loaded = url === null ? null : await retries.load().catch(() => null)
      if (loaded === null || url === null) throw error
      return loaded.retryImport(url, first, error)
    }),
  )
}

/** Imports a chunk of a build. Once an import has succeeded, its URL always leads to the same module. */
export function importBuiltChunk(url: string): Promise<unknown> {
  const existing = imported.get(url)
  if (existing) return existing
  const coming = importChunk(url, importWhole(url))
  coming.then(
    () => imported.set(url, coming),
    () => {},
  )
  return coming
}
