import type { NavigationKind } from '../../components/navigationStore.ts'
import { probeBody, probeType } from '../../shared/protocol.ts'

/** Those that open a document, until it is there. */
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
  const request = (redirect: RequestRedirect) =>
    fetch(url, {
      headers: { accept: isRedirected ? 'text/html' : probeType },
      // Another origin that a redirect leads to need not allow this: nothing of it is read.
      mode: 'no-cors',
      cache: 'no-store',
      redirect,
      signal: timed,
    })
  try {
    return (await isDocument(await request('follow'))) ? 'ok' : 'unreachable'
  } catch {
    if (timed.aborted || !isRedirected) return 'unreachable'
  }
  try {
    return (await request('manual')).type === 'opaqueredirect' ? 'redirect-loop' : 'unreachable'
  } catch {
    return 'unreachable'
  }
}

async function isDocument(response: Response): Promise<boolean> {
  if (response.type === 'opaque') return true
  const type = response.headers.get('content-type') ?? ''
  if (type === probeType) return (await response.text()) === probeBody()
  if (type.startsWith('text/html')) {
    const text = await response.text()
    // As a host of files gives it, all of it.
    return text.includes('data-waymark-theme') && text.includes('</html>')
  }
  // No document of ours either, but one that this URL is meant to give: a download, an image.
  return response.ok && type !== '' && !type.startsWith('text/x-component')
}
