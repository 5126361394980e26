import { createRetries, pause, retry, retryPolicies } from '../retry/retry.ts'
import { importWhole } from './importUrl.ts'

/**
 * Imports a file again, twice, under other URLs: a document remembers a broken module.
 * @param first the first import, which may still succeed
 */
export async function retryImport<T>(path: string, first: Promise<T>, error: unknown): Promise<T> {
  const url = new URL(path, location.href)
  const attempts = [first]
  return retry(
    async (failures) => {
      // The first import has failed, or may have succeeded meanwhile.
      if (failures === 0) return Promise.race([first, pause(0).then(() => Promise.reject(error))])
      // For the dev server, a URL with another time is the same module.
      if (import.meta.env.DEV) url.searchParams.set('t', `${Date.now()}`)
      else url.searchParams.set('retry', `${failures}${Date.now().toString(36)}`)
      const again = importWhole(url.href) as Promise<T>
      const earlier = Promise.any(attempts)
      attempts.push(again)
      return Promise.race([again, earlier.catch(() => again)])
    },
    { retries: createRetries(retryPolicies.chunk) },
  )
}
