import type { NavigationKind } from '../../components/navigationStore.ts'
import { withBasePath } from '../../shared/basePath.ts'
import { clearCookiesPath, probeType } from '../../wire/protocol.ts'
import { isLastingRefusal } from '../retry/retry.ts'
import { isDocument } from './probedDocument.ts'

/** Windows that are about to load a document, each with a controller that ends the attempt. */
const leaving = new WeakMap<Window, AbortController>()

/**
 * Milliseconds during which a document may be requested again. The limit matters if the page stays, for
 * example because the URL is a download. A worker that takes over hours later must not load it again.
 */
const takeoverMs = 30_000

/** Loads a document, even if its URL is already the browser's address. */
export function navigateDocument(view: Window, url: URL, kind: NavigationKind = 'push'): void {
  endAttempt(view)
  const attempt = new AbortController()
  leaving.set(view, attempt)
  const { signal } = attempt
  // End the attempt on `pagehide`, because the user may come back to this document from the
  // back/forward cache.
  view.addEventListener('pagehide', () => endAttempt(view), { signal })
  const load = () => {
    // For the current address with a hash, `assign` would only scroll.
    if (url.href === view.location.href) view.location.reload()
    else if (kind === 'replace') view.location.replace(url)
    else view.location.assign(url)
  }
  // If a new service worker takes over before the document arrives, which may happen right after a
  // deployment, Chromium loses the response of the old worker. So request the document again.
  view.navigator.serviceWorker?.addEventListener('controllerchange', load, {
    signal: AbortSignal.any([signal, AbortSignal.timeout(takeoverMs)]),
  })
  load()
}

/** Stops loading a document that would replace the page of a newer navigation. */
export function stopDocument(view: Window): void {
  if (endAttempt(view)) view.stop()
}

function endAttempt(view: Window): boolean {
  leaving.get(view)?.abort()
  return leaving.delete(view)
}

export type Reachability =
  /** The URL leads to a document or a file of this site. */
  | 'ok'
  /** The URL redirects in a loop. */
  | 'redirect-loop'
  /** There was no response, or it came from a gateway or a captive portal. */
  | 'unreachable'
  /** The response has a 4xx status, which a further request would get again. */
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
  // Another script may have replaced `fetch` with a function that ignores the signal.
  const aborted = new Promise<never>((_, reject) => {
    timed.addEventListener('abort', () => reject(timed.reason), { once: true })
  })
  aborted.catch(() => {})
  const request = async (redirect: RequestRedirect) => {
    const response = fetch(url, {
      headers: { accept: isRedirected ? 'text/html' : probeType },
      // A redirect may lead to a different origin. Its response isn't read, so CORS isn't needed.
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
 * Deletes the site's cookies if they are larger than the server accepts. The server deletes the
 * cookies that scripts can't access.
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
