import type { NavigationKind } from '../../components/navigationStore.ts'
import { withBasePath } from '../../shared/basePath.ts'
import { clearCookiesPath, probeType } from '../../wire/protocol.ts'
import { isLastingRefusal } from '../retry/retry.ts'
import { isDocument } from './probedDocument.ts'

/** Windows that are about to open a document. */
const leaving = new WeakSet<Window>()

/** Loads a document, also that of the address that the browser shows already. */
export function navigateDocument(view: Window, url: URL, kind: NavigationKind = 'push'): void {
  leaving.add(view)
  // The browser may come back to this document as it was.
  view.addEventListener('pagehide', () => leaving.delete(view), { once: true })
  // To its own address with a hash, the browser would only scroll.
  if (url.href === view.location.href) view.location.reload()
  else if (kind === 'replace') view.location.replace(url)
  else view.location.assign(url)
}

/** A document that is being opened would take the place of a page that is gone to meanwhile. */
export function stopDocument(view: Window): void {
  if (leaving.delete(view)) view.stop()
}

export type Reachability =
  /** A document of this site, or a file that it gives. */
  | 'ok'
  /** Redirects that lead to each other. */
  | 'redirect-loop'
  /** A gateway's error, a portal's page, or no response at all. */
  | 'unreachable'
  /** An error of the client that another request would get, too. */
  | RefusedDocument

export type RefusedDocument = { readonly refusedWith: number }

/** How long a response may take: a document that hangs is none. */
const timeoutMs = 3000

/**
 * Checks that a URL leads to a document, before the browser leaves: on a gateway's error page, the
 * app is lost.
 */
export async function checkReachable(
  url: URL,
  signal: AbortSignal,
  isRedirected = false,
): Promise<Reachability> {
  const timed = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
  // A `fetch` of another script may ignore the signal.
  const aborted = new Promise<never>((_, reject) => {
    timed.addEventListener('abort', () => reject(timed.reason), { once: true })
  })
  aborted.catch(() => {})
  const request = async (redirect: RequestRedirect) => {
    const response = fetch(url, {
      headers: { accept: isRedirected ? 'text/html' : probeType },
      // Another origin that a redirect leads to need not allow this: nothing of it is read.
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
 * Deletes the cookies of a browser that sends more of them than the server accepts. The server
 * deletes those that scripts can't see.
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

/** True for a function that another script has put in the place of the browser's own. */
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
