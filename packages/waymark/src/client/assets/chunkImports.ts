import { importBuiltChunk } from './importChunk.ts'

/**
 * The plugin `chunkRetries` writes `$chunk(path)` in place of `import(path)` in a build's client code,
 * so that each has a deadline and retries. All these files are in one folder.
 */
function importPath(path: string): Promise<unknown> {
  return importBuiltChunk(new URL(path, import.meta.url).href)
}

if (!import.meta.env.DEV) Object.assign(window, { $chunk: importPath })
