import type { NavigationKind } from '../../components/navigationStore.ts'
import { withBasePath } from '../../shared/basePath.ts'
import { clearCookiesPath, probeType } from '../../wire/protocol.ts'
import { isLastingRefusal } from '../retry/retry.ts'
import { isDocument } from './probedDocument.ts'

/** Windows that are about to load a document. */
const leaving = new WeakSet<Window>()

/** Loads a document, even if its URL is already the browser's address. */
export function navigateDocument(view: Window, url: URL, kind: NavigationKind = 'push'): void {
  leaving.add(view)
  // Reset the state on `pagehide`, because the user may come back to this document from the
  // back/forward cache.
  view.addEventListener('pagehide', () => leaving.delete(view), { once: true })
  // Reload if the target is the current address, because with a hash the browser would only scroll.
  if (url.href === view.location.href) view.location.reload()
  else if (kind === 'replace') view.location.replace(url)
  else view.location.assign(url)
}

/** Stops loading a document, because it would replace the page of a newer navigation. */
export function stopDocument(view: Window): void {
  if (leaving.delete(view)) view.stop()
}

export type Reachability =
  /** The URL leads to a document or a file of this site. */
  | 'ok'
  /** The URL redirects in a loop. */
  | 'redirect-loop'
  /** The response is missing, or it is the error of a gateway or the page of a captive portal. */
  | 'unreachable'
  /** The response has a 4xx status that a further request would get, too. */
  | RefusedDocument

export type RefusedDocument = { readonly refusedWith: number }

/** Milliseconds after which a document that doesn't respond counts as unreachable. */
const timeoutMs = 3000

/**
 * Checks if a URL leads to a document before the browser leaves the page. Otherwise the browser might
 * replace the app with a gateway's error page.
 */
export async function checkReachable(
  url: URL,
  signal: AbortSignal,
  isRedirected = false,
): Promise<Reachability> {
  const timed = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
  // Race with the signal, because a `fetch` that another script has replaced may ignore it.
  const aborted = new Promise<never>((_, reject) => {
    timed.addEventListener('abort', () => reject(timed.reason), { once: true })
  })
  aborted.catch(() => {})
  const request = async (redirect: RequestRedirect) => {
    const response = fetch(url, {
      headers: { accept: isRedirected ? 'text/html' : probeType },
      // Don't require CORS, because a redirect may lead to a different origin, whose response isn't
      // read.
      mode: 'no-cors',
      cache: 'no-store',
      redirect,
      signal: timed,
    })
    return Promise.race([response, aborted])
  }
  try {
    const response = await request('follow')
    if (response.type === 'opaque' || (await isDocument(readable(response)))) return 'ok'
    return isLastingRefusal(response.status) ? { refusedWith: response.status } : 'unreachable'
  } catch {
    if (!signal.aborted && isReplaced(fetch)) return probeWithoutFetch(url)
    if (timed.aborted || !isRedirected) return 'unreachable'
  }
  try {
    return (await request('manual')).type === 'opaqueredirect' ? 'redirect-loop' : 'unreachable'
  } catch {
    return 'unreachable'
  }
}

/**
 * Deletes the site's cookies, because the browser sends more cookies than the server accepts. The
 * server deletes the cookies that scripts can't access.
 */
export async function clearCookies(document: Document): Promise<void> {
  for (const pair of document.cookie.split('; ')) {
    document.cookie = `${pair.split('=', 1)[0]}=; Path=/; Max-Age=0`
  }
  const sent = fetch(withBasePath(clearCookiesPath), { method: 'POST', redirect: 'manual' })
  await sent.catch(() => {})
}

function readable(response: Response) {
  const type = response.headers.get('content-type') ?? ''
  return { isOk: response.ok, type, text: () => response.text() }
}

/** True if another script has replaced the browser's `fetch`. */
function isReplaced(fetchFunction: typeof fetch): boolean {
  const source = Function.prototype.toString.call(fetchFunction)
  return fetchFunction.name !== 'fetch' || !source.includes('[native code]')
}

async function probeWithoutFetch(url: URL): Promise<Reachability> {
  try {
    const { probeByXhr } = await import('./probeByXhr.ts')
    return (await probeByXhr(url, timeoutMs)) ? 'ok' : 'unreachable'
  } catch {
    return 'unreachable'
  }
}
