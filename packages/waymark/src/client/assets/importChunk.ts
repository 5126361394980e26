import { timeoutMs } from 'virtual:waymark/limits'
import { importWhole } from './importUrl.ts'
import { createLazyModule } from './lazyModule.ts'

/** The chunk comes with the router, at idle. Until then, the first failure fetches it. */
const retries = createLazyModule(() => inTime(import('./retryImport.ts'), timeoutMs / 2))

/** What every import has resolved with, by the URL that was asked for. */
const imported = new Map<string, Promise<unknown>>()

/** An error of code that may still arrive. */
export type ImportTimeout = { readonly coming?: Promise<unknown> }

/** Rejects with a `LateCode` when it takes too long. */
export function inTime<T>(coming: Promise<T>, ms = timeoutMs): Promise<T> {
  return new Promise((resolve, reject) => {
    const timeoutError = new DOMException('Code is late.', 'TimeoutError')
    setTimeout(reject, ms, Object.assign(timeoutError, { coming }))
    coming.then(resolve, reject)
  })
}

/**
 * Imports a file of client code. An attempt that fails, or takes half of a route's limit, is repeated
 * under other URLs.
 * @param url of the file; `null` when it is not known, and the import can't be repeated
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

/** Imports a chunk of a build, and always the same module for a URL. */
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
