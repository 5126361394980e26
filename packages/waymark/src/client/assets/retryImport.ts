import { navigation } from 'virtual:waymark/navigation'
import { importUrl } from '../../react/client/importUrl.ts'
import { createRetries, pause, retry, retryPolicies } from '../retry/retry.ts'

/** What a bundler writes for `import()`; a module inside a shared chunk is an export of that. */
const importOfChunk =
  /\bimport\(\s*["'`]([^"'`]+)["'`]\s*\)(?:\s*\.then\(\s*\(?([\w$]+)\)?\s*=>\s*\2\.([\w$]+)\s*\))?/

/**
 * Imports a chunk again, twice, under other URLs: a document remembers a broken module.
 * @param load its text has the chunk's URL, which browsers hide for a syntax error
 * @param silent the first import, which may still succeed
 */
export async function retryImport<T>(
  load: () => Promise<T>,
  error: unknown,
  silent?: Promise<T>,
): Promise<T> {
  const [, path, , name] = importOfChunk.exec(String(load)) ?? []
  if (path === undefined) throw error
  const url = new URL(path, import.meta.url)
  const coming = silent ? [silent] : []
  return retry(
    async (failures) => {
      // The first import has failed, or may be there by now.
      if (failures === 0)
        return Promise.race([...coming, pause(0).then(() => Promise.reject(error))])
      if (import.meta.env.DEV) {
        // For the dev server, a time makes no other module.
        url.search = url.search.replace(/\bt=\d+&?|&$/g, '')
        url.search += `${url.search ? '&' : '?'}t=${Date.now()}`
      } else url.searchParams.set('retry', `${failures}${Date.now().toString(36)}`)
      const again = importUrl(url.href)
      const found = again.then((module) => (name === undefined ? module : module[name]) as T)
      const earlier = Promise.any(coming)
      coming.push(found)
      return Promise.race([found, earlier.catch(() => found)])
    },
    { retries: createRetries(retryPolicies.chunk) },
  )
}

/** Imports the chunk of a client component again, which was a module, but not the right one. */
export async function retryReference(load: () => Promise<unknown>, id: string): Promise<unknown> {
  const error = new Error(`The client component ${id} is not in its chunk.`)
  const late = pause(navigation.timeoutMs).then(() => Promise.reject(error))
  const module = await Promise.race([retryImport(load, error), late])
  const reference = (module as Record<string, unknown>)[`export_${id}`]
  if (reference === undefined) throw error
  return reference
}
