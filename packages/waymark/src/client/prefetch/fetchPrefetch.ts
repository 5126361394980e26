import { readFrames } from '../../wire/frames.ts'
import type { Stylesheet } from '../../wire/payload.ts'
import {
  assetsHeader,
  buildHeader,
  navigationFromHeader,
  prefetchHeader,
  wholePrefetch,
} from '../../wire/protocol.ts'
import { nonceHeaders, pageDataUrl } from '../document/dataRequest.ts'
import { userHeaders } from '../document/userHeaders.ts'
import type { JoinedPrefetch, PrefetchedData } from '../navigation/fetchPage.ts'

export type PrefetchResponse =
  | ({ readonly kind: 'page'; readonly assets?: readonly Stylesheet[] } & PrefetchedData)
  /** There is nothing to prefetch, because the page redirects or is rendered for each request. */
  | { readonly kind: 'nothing'; readonly assets?: readonly Stylesheet[] }
  /** No response arrived, it was cut off, or it isn't from Waymark. */
  | { readonly kind: 'failed' }
  /** The server is busy and asks for a pause. */
  | { readonly kind: 'backoff'; readonly forMs: number }

const defaultPauseMs = 30_000
const maxPauseMs = 60_000
// Maximum number of assets in a response. Waymark's servers never list more than this.
const maxAssets = 40
/** Milliseconds after which a request is aborted, so that it can't block others. */
const timeoutMs = 10_000

/**
 * Prefetches a page's data. The server sends nothing for a URL that a route intercepts, because the
 * result depends on the page on which the user clicks.
 * @param from pathname of the current page
 */
export async function fetchPrefetch(
  url: URL,
  from: string,
  signal: AbortSignal,
): Promise<PrefetchResponse> {
  const response = await fetch(url.origin + pageDataUrl(url), {
    headers: headersOf('1', from),
    priority: 'low',
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
  })
  return readPrefetch(response)
}

export type WholePrefetch = ReturnType<typeof fetchWholePage>

export function fetchWholePage(url: URL, from: string, controller: AbortController) {
  const abort = () => controller.abort()
  const timer = setTimeout(abort, timeoutMs)
  const { signal } = controller
  // Another script may have replaced `fetch` with a function that throws synchronously, so call it
  // inside a promise.
  const fetching = Promise.resolve().then(() =>
    fetch(url.origin + pageDataUrl(url), { headers: headersOf(wholePrefetch, from), signal }),
  )
  const copied = fetching.then((response) => (isPage(response) ? response.clone() : null))
  const ended = copied.then(() => fetching).then(readPrefetch)
  return {
    ended: ended.finally(() => clearTimeout(timer)),
    /** Hands the request over to a click, whose navigation then decides how long to wait. */
    join(): JoinedPrefetch {
      clearTimeout(timer)
      // Ignore errors, because the navigation requests the page again and shows the error.
      return { response: copied.catch(() => null), abort }
    },
  }
}

/** @throws Error if the user of the document can't be read */
function headersOf(kind: string, from: string): Record<string, string> {
  const user = userHeaders()
  if (user === null) throw new Error("The document's user could not be read.")
  return {
    ...nonceHeaders(),
    ...user,
    [prefetchHeader]: kind,
    [navigationFromHeader]: from,
  }
}

function isPage({ status, redirected, headers }: Response): boolean {
  const type = headers.get('content-type') ?? ''
  return status === 200 && !redirected && type.startsWith('text/x-component')
}

async function readPrefetch(response: Response): Promise<PrefetchResponse> {
  if (response.status === 503 || response.status === 429) {
    const retryAfterMs = Number(response.headers.get('retry-after')) * 1000
    return { kind: 'backoff', forMs: Math.min(retryAfterMs || defaultPauseMs, maxPauseMs) }
  }
  const assets = readAssets(response.headers.get(assetsHeader))
  if (response.status === 204 || response.redirected) return { kind: 'nothing', assets }
  const isPayload = response.headers.get('content-type')?.startsWith('text/x-component')
  if (!isPayload) return { kind: 'failed' }
  const bytes = readFrames(new Uint8Array(await response.arrayBuffer()))
  const build = response.headers.get(buildHeader)
  return bytes ? { kind: 'page', bytes, build, assets } : { kind: 'failed' }
}

function readAssets(header: string | null): readonly Stylesheet[] {
  const named = header?.split(' ').slice(0, maxAssets) ?? []
  return named.map((each): Stylesheet => {
    const [url = '', hash] = each.split('#')
    return hash === undefined ? [url] : [url, hash]
  })
}

/** Number of consecutive failures after which all prefetching pauses. */
const maxFailures = 3
const pauseMs = 30_000

export function createBackoff(now: () => number) {
  let untilMs = 0
  let failures = 0
  let refused = 0
  return {
    isActive: () => now() < untilMs,
    note(response: PrefetchResponse): void {
      failures = response.kind === 'failed' ? failures + 1 : 0
      if (failures >= maxFailures) untilMs = now() + pauseMs
      if (response.kind !== 'backoff') return
      refused++
      untilMs = now() + response.forMs
    },
    refused: () => refused,
  }
}
