import type { ClientStream } from './clientStream.ts'

type FollowPageOptions = { readonly keepHidden: boolean }

/**
 * Milliseconds for which a page may be hidden without a pause, so that a short visit to a different
 * tab doesn't cause a reconnect.
 */
const hiddenMs = 20_000

/**
 * Pauses a stream while its page is hidden. With HTTP/1.1, a browser only has six connections to a
 * host for all of its tabs, and a page with an open connection can't enter the back/forward cache.
 * @returns a function that stops following the page
 */
export function followPage(
  stream: Pick<ClientStream, 'pause' | 'resume' | 'reconnect'>,
  { keepHidden }: FollowPageOptions,
): () => void {
  const stopping = new AbortController()
  const { signal } = stopping
  let timer: ReturnType<typeof setTimeout> | undefined

  function look(): void {
    clearTimeout(timer)
    if (document.visibilityState === 'visible') stream.resume()
    else if (!keepHidden) timer = setTimeout(stream.pause, hiddenMs)
  }

  document.addEventListener('visibilitychange', look, { signal })
  addEventListener('pagehide', stream.pause, { signal })
  addEventListener('pageshow', stream.resume, { signal })
  addEventListener('online', stream.reconnect, { signal })
  look()
  return () => {
    clearTimeout(timer)
    stopping.abort()
  }
}
