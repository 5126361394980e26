import { timeoutMs } from 'virtual:waymark/startup'
import { documentNonce } from '../document/documentStream.ts'
import { createLazyModule } from './lazyModule.ts'

const requested = new Map<string, Promise<void> | undefined>()

/** What tries again: it comes at idle; until then, a failure fetches it. */
const rescue = createLazyModule(() => import('./retryImport.ts'))
/** What is imported now is itself what tries again. */
let isRescue = false

/** Waits for code, at most for the limit of a route. */
export function inTime<T>(coming: Promise<T>, ms = timeoutMs): Promise<T> {
  return new Promise((resolve, reject) => {
    setTimeout(reject, ms, new DOMException('Code is late.', 'TimeoutError'))
    coming.then(resolve, reject)
  })
}

/**
 * Imports a chunk with its files, as Vite's helper does in three times the code. A chunk that
 * fails, or takes half of a route's limit, is imported again. Without style, code is still code.
 */
export function preload<T>(load: () => Promise<T>, files: readonly string[] = []): Promise<T> {
  const canRetry = !isRescue
  const halfMs = timeoutMs / 2
  const styles = Promise.allSettled(files.map(request))
  const coming = load()
  const code = inTime(coming, halfMs).catch(async (error: unknown) => {
    const again = canRetry && (await loadRescue().catch(() => null))
    if (again) return again.retryImport(load, error, coming)
    throw error
  })
  const styled = inTime(styles, halfMs).catch(() => {})
  return inTime(Promise.all([code, styled]).then(() => code))
}

export function loadRescue(): Promise<typeof import('./retryImport.ts')> {
  isRescue = true
  const loading = rescue.load()
  isRescue = false
  return loading
}

function request(file: string): Promise<void> | undefined {
  const href = import.meta.env.BASE_URL + file
  if (!requested.has(href)) requested.set(href, append(href))
  return requested.get(href)
}

function append(href: string): Promise<void> | undefined {
  if (document.head.querySelector(`link[href="${href}"]`)) return undefined
  const isStyle = href.endsWith('.css')
  const link = document.createElement('link')
  link.rel = isStyle ? 'stylesheet' : 'modulepreload'
  link.crossOrigin = ''
  link.nonce = documentNonce()
  link.href = href
  document.head.append(link)
  if (!isStyle) return undefined
  return new Promise((resolve, reject) => {
    link.onload = () => resolve()
    link.onerror = () => {
      requested.delete(href)
      link.remove()
      reject(new Error(`The style sheet ${href} could not be loaded.`))
    }
  })
}
