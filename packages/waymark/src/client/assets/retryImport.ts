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
      // The first import may have succeeded in the meantime.
      if (failures === 0) return Promise.race([first, pause(0).then(() => Promise.reject(error))])
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
