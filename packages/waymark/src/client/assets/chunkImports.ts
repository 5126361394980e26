import { importBuiltChunk } from './importChunk.ts'

/**
 * Imports a chunk with a deadline and retries. In builds, the plugin `chunkRetries` replaces
 * `import(path)` in client code with `$chunk(path)`. All chunks are in the same folder.
 */
function importPath(path: string): Promise<unknown> {
  return importBuiltChunk(new URL(path, import.meta.url).href)
}

if (!import.meta.env.DEV) Object.assign(window, { $chunk: importPath })
