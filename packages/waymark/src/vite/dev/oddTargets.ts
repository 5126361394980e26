import type { RequestListener } from 'node:http'
import type { ViteDevServer } from 'vite'

/**
 * Tells whether a request target is one that Vite's middlewares are not made for: `*`, one with a
 * host in it, one that begins with two slashes. They hang on some, and end the process on others.
 */
export function isOddTarget(url: string | undefined): boolean {
  return url === undefined || !url.startsWith('/') || url.startsWith('//')
}

/**
 * Has the app answer requests with an odd target, before Vite sees them.
 * @param answer answers in place of the dev server
 */
export function answerOddTargets(
  httpServer: ViteDevServer['httpServer'],
  answer: RequestListener,
): void {
  if (httpServer === null) return
  // A middleware would come too late: the stack that it stands in parses the target first.
  const listeners = httpServer.listeners('request') as RequestListener[]
  httpServer.removeAllListeners('request')
  httpServer.on('request', (req, res) => {
    const chosen = isOddTarget(req.url) ? [answer] : listeners
    for (const listener of chosen) listener.call(httpServer, req, res)
  })
}
