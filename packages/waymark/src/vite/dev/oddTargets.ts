import type { RequestListener } from 'node:http'
import type { ViteDevServer } from 'vite'

/**
 * Tells whether a request target is one that Vite's middlewares are not made for: `*`, one with a
 * host in it, one that begins with two slashes. They hang on some, and end the process on others.
 */
export function isNonCanonicalTarget(url: string | undefined): boolean {
  return url === undefined || !url.startsWith('/') || url.startsWith('//')
}

// A host that can be none is for the app to refuse.
const absoluteForm = /^https?:\/\/((?:[\w.~-]+|\[[\da-f:.]+\])(?::\d+)?)((?:[/?].*)?)$/is

/**
 * Takes the host out of a target in absolute form. It counts in place of the `Host` header, so it
 * is what Vite has to check.
 * @returns `null` for a target in another form
 * @see RFC 9112 §3.2.2
 */
export function splitAbsolute(
  url: string | undefined,
): { readonly host: string; readonly target: string } | null {
  const [, host, rest = ''] = absoluteForm.exec(url ?? '') ?? []
  if (host === undefined) return null
  return { host, target: rest.startsWith('/') ? rest : `/${rest}` }
}

/**
 * Has the app answer requests with an odd target, before Vite sees them. Those in absolute form go
 * to Vite with their host in the header.
 * @param answer answers in place of the dev server
 */
export function respondToNonCanonical(
  httpServer: ViteDevServer['httpServer'],
  answer: RequestListener,
): void {
  if (httpServer === null) return
  // A middleware would come too late: the stack that it stands in parses the target first.
  const listeners = httpServer.listeners('request') as RequestListener[]
  httpServer.removeAllListeners('request')
  httpServer.on('request', (req, res) => {
    const absolute = splitAbsolute(req.url)
    if (absolute !== null) {
      req.url = absolute.target
      req.headers.host = absolute.host
    }
    const chosen = isNonCanonicalTarget(req.url) ? [answer] : listeners
    for (const listener of chosen) listener.call(httpServer, req, res)
  })
}
