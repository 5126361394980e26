import { checksumTrailerBytes, crc32, writeChecksumTrailer } from '../../shared/checksum.ts'
import {
  buildHeader,
  navigationFromHeader,
  payloadUrl,
  prefetchHeader,
} from '../../shared/protocol.ts'
import { nonceHeaders } from '../document/documentNonce.ts'
import type { PrefetchedData } from '../navigation/fetchPage.ts'

/** The result of a prefetch. */
export type PrefetchResponse =
  | ({ readonly kind: 'page' } & PrefetchedData)
  /** Nothing that could be cached: rendered for each request, or redirected. */
  | { readonly kind: 'nothing' }
  /** Foreign, cut, or none at all. */
  | { readonly kind: 'failed' }
  /** The server asks for a pause. */
  | { readonly kind: 'backoff'; readonly forMs: number }

const defaultPauseMs = 30_000
const maxPauseMs = 60_000
/** One that hangs must not block the others. */
const timeoutMs = 10_000

/**
 * Prefetches a page's data.
 * @param from pathname of the page on the screen: what would be shown over it is not cached
 */
export async function fetchPrefetch(
  url: URL,
  from: string,
  signal: AbortSignal,
): Promise<PrefetchResponse> {
  const response = await fetch(payloadUrl(url.pathname, url.search), {
    headers: { ...nonceHeaders(), [prefetchHeader]: '1', [navigationFromHeader]: from },
    priority: 'low',
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
  })
  if (response.status === 503 || response.status === 429) {
    const retryAfterMs = Number(response.headers.get('retry-after')) * 1000
    return { kind: 'backoff', forMs: Math.min(retryAfterMs || defaultPauseMs, maxPauseMs) }
  }
  if (response.status === 204 || response.redirected) return { kind: 'nothing' }
  const isPayload = response.headers.get('content-type')?.startsWith('text/x-component')
  if (!isPayload) return { kind: 'failed' }
  const bytes = withoutTrailer(new Uint8Array(await response.arrayBuffer()))
  const build = response.headers.get(buildHeader)
  return bytes ? { kind: 'page', bytes, build } : { kind: 'failed' }
}

function withoutTrailer(bytes: Uint8Array): Uint8Array | null {
  const body = bytes.subarray(0, Math.max(0, bytes.length - checksumTrailerBytes))
  const trailer = new TextDecoder().decode(bytes.subarray(body.length))
  return trailer === writeChecksumTrailer(crc32(body)) ? body : null
}
