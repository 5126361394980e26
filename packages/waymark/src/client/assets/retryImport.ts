import { createRetries, pause, retry, retryPolicies } from '../retry/retry.ts'
import { importWhole } from './importUrl.ts'

/**
 * Imports a file again, up to twice. Each attempt uses a different URL, because a document
 * remembers failed imports by URL.
 * @param first the first import, which may still succeed
 */
export async function retryImport<T>(path: string, first: Promise<T>, error: unknown): Promise<T> {
  const { href } = new URL(path, location.href)
  const url = new URL(href)
  const attempts = [first]
  return retry(
    async (failures) => {
      if (failures === 0) {
        // The first import may have succeeded in the meantime.
        const succeeded = await Promise.race([first.then(() => true), pause(0)]).catch(() => false)
        // A second request can't help if the file has arrived and the browser only has to run it.
        if (succeeded || (isTimeout(error) && hasArrived(href))) return first
        throw error
      }
      if (import.meta.env.DEV) url.searchParams.set('t', `${Date.now()}`)
      else url.searchParams.set('retry', `${failures}${Date.now().toString(36)}`)
      const again = importChecked(url.href, href, error) as Promise<T>
      const earlier = Promise.any(attempts)
      attempts.push(again)
      return Promise.race([again, earlier.catch(() => again)])
    },
    { retries: createRetries(retryPolicies.chunk) },
  )
}

function isTimeout(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'TimeoutError'
}

/** True if the browser has received the whole file. An interrupted response has no status. */
function hasArrived(href: string): boolean {
  const entries = performance.getEntriesByName(href, 'resource') as PerformanceResourceTiming[]
  return entries.some(
    ({ responseEnd, responseStatus }) => responseEnd > 0 && responseStatus === 200,
  )
}

const checkedPreloads = 'head>link[rel=modulepreload][integrity]'

/**
 * Imports a file under a different URL. If the document has a preload with a hash for the file,
 * adds one for this URL, so that the browser checks the code before it runs.
 */
async function importChecked(url: string, href: string, error: unknown): Promise<unknown> {
  const links = document.querySelectorAll<HTMLLinkElement>(checkedPreloads)
  const preload = [...links].find((link) => link.href === href)
  const isChecked = preload?.relList.supports('modulepreload')
  if (preload && isChecked) await preloadAgain(url, preload, error)
  return importWhole(url)
}

function preloadAgain(url: string, preload: HTMLLinkElement, error: unknown): Promise<void> {
  return new Promise((resolve, reject) => {
    const link = document.createElement('link')
    link.rel = preload.rel
    link.crossOrigin = preload.crossOrigin
    link.integrity = preload.integrity
    link.nonce = preload.nonce
    link.onload = () => resolve()
    link.onerror = () => reject(error)
    link.href = url
    document.head.append(link)
  })
}
