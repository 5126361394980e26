import type { NavigationKind } from '../../components/navigationStore.ts'

/** Loads a document, also that of the address that the browser shows already. */
export function navigateDocument(view: Window, url: URL, kind: NavigationKind = 'push'): void {
  // To its own address with a hash, the browser would only scroll.
  if (url.href === view.location.href) view.location.reload()
  else if (kind === 'replace') view.location.replace(url)
  else view.location.assign(url)
}

/** What the document of a URL is like, seen from here. */
export type Reachability =
  /** A document of this site, or a file that it gives. */
  | 'there'
  /** Redirects that lead to each other. */
  | 'circle'
  /** A gateway's error, a portal's page, or no answer at all. */
  | 'away'

/** How long an answer may take: a document that hangs is none. */
const timeoutMs = 3000

/**
 * Asks, before the document is left for a URL, whether there is one to go to: a person who
 * stands on a gateway's error page has lost the app.
 */
export async function checkReachable(url: URL, signal: AbortSignal): Promise<Reachability> {
  const timed = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
  const ask = (redirect: RequestRedirect) =>
    fetch(url, {
      headers: { accept: 'text/html' },
      // Another origin that a redirect leads to need not agree: it is asked to no purpose of ours.
      mode: 'no-cors',
      cache: 'no-store',
      redirect,
      signal: timed,
    })
  try {
    return (await isDocument(await ask('follow'))) ? 'there' : 'away'
  } catch {
    if (timed.aborted) return 'away'
  }
  try {
    // The first redirect came, and the rest led nowhere.
    return (await ask('manual')).type === 'opaqueredirect' ? 'circle' : 'away'
  } catch {
    return 'away'
  }
}

async function isDocument(response: Response): Promise<boolean> {
  if (response.type === 'opaque') return true
  const type = response.headers.get('content-type') ?? ''
  // No document of ours either, but one that this URL is meant to give: a download, an image.
  if (!type.startsWith('text/html')) return response.ok
  return (await response.text()).includes('data-waymark-theme')
}
