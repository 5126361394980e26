import { importModule } from './importModule.ts'

/** What plugin-rsc writes for a client component: a function that imports its chunk. */
const importOfChunk = /\bimport\(\s*["'`]([^"'`]+)["'`]/

/**
 * Imports the chunk of a client component under another URL: a document remembers a module that
 * arrived broken.
 * @param load what imports it; in a build, from a file of the same folder as this one. No browser
 *   tells the URL of a module with a syntax error, but the function's own text has it
 * @param error of the first time
 * @throws `error` where nothing tells the URL, as in the dev server; else the error of this time
 */
export async function retryImport(load: unknown, error: unknown): Promise<Record<string, unknown>> {
  const path = importOfChunk.exec(String(load))?.[1]
  if (path === undefined) throw error
  const url = new URL(path, import.meta.url)
  url.searchParams.set('retry', Date.now().toString(36))
  return importModule(url.href)
}
