import type { ClientStream } from './clientStream.ts'

type FollowPageOptions = { readonly keepHidden: boolean }

/**
 * Time for which a page may be hidden without a pause, so that a glance at another tab doesn't
 * reconnect.
 */
const hiddenMs = 20_000

/**
 * Pauses a stream while its page is hidden. Over HTTP/1.1, a browser has six connections to a host for
 * all tabs together. A page with an open connection also can't enter the back/forward cache.
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
