import { navigation } from 'virtual:waymark/navigation'
import { documentNonce } from '../document/documentStream.ts'

/** Files that were requested; a promise for those that are waited for. */
const requested = new Map<string, Promise<void> | undefined>()

/** What tries again: it comes at idle; until then, a failure fetches it. */
const rescue = {
  loading: null as Promise<typeof import('./retryImport.ts')> | null,
  /** What is imported now is itself what tries again. */
  isStarting: false,
}

/**
 * Waits for code.
 * @param ms the limit of a route when left out
 * @throws when the code has not come by then
 */
export function inTime<T>(coming: Promise<T>, ms = navigation.timeoutMs): Promise<T> {
  return new Promise((resolve, reject) => {
    setTimeout(reject, ms, new DOMException('Code is late.', 'TimeoutError'))
    coming.then(resolve, reject)
  })
}

/**
 * Imports a chunk, with the files that it needs requested at the same time: in place of Vite's
 * helper, which is three times as long. Style sheets are waited for, but without style, code is
 * still code. A chunk that fails, or takes half of a route's limit, is imported again: see
 * `retryImport.ts`.
 * @param files from the app's root, as Vite writes them
 * @throws when the chunk could not be loaded; no event is sent, as Vite's helper does, because the
 *   framework has a fallback of its own
 */
export function preload<T>(load: () => Promise<T>, files: readonly string[] = []): Promise<T> {
  const isRescue = rescue.isStarting
  const halfMs = navigation.timeoutMs / 2
  const styles = Promise.allSettled(files.map(request))
  const coming = load()
  const code = inTime(coming, halfMs).catch(async (error: unknown) => {
    const again = isRescue ? null : await loadRescue().catch(() => null)
    if (again) return again.retryImport(load, error, coming)
    throw error
  })
  const styled = inTime(styles, halfMs).catch(() => {})
  return inTime(Promise.all([code, styled]).then(() => code))
}

/** Loads what tries again. */
export function loadRescue(): Promise<typeof import('./retryImport.ts')> {
  rescue.isStarting = true
  rescue.loading ??= import('./retryImport.ts').catch((error: unknown) => {
    rescue.loading = null
    throw error
  })
  rescue.isStarting = false
  return rescue.loading
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
