import { importBuiltChunk } from './importChunk.ts'

/**
 * Errors of code, by which `stylesInTime.ts` knows that other errors are of stylesheets. The plugin
 * `chunkRetries` writes `$chunk(path)` in place of `import(path)` in a build's client code, so that
 * each has a deadline and retries. All these files are in one folder.
 */
export const codeErrors = new Set<unknown>()

async function importPath(path: string): Promise<unknown> {
  try {
    return await importBuiltChunk(new URL(path, import.meta.url).href)
  } catch (error) {
    codeErrors.add(error)
    throw error
  }
}

if (!import.meta.env.DEV) Object.assign(window, { $chunk: importPath })
