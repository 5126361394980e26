import { createFromReadableStream } from '@vitejs/plugin-rsc/browser'
import type { Payload } from '../shared/payload.ts'
import {
  heldSegmentsHeader,
  navigationFromHeader,
  pagePathnameOf,
  payloadUrl,
} from '../shared/protocol.ts'

/** What a fetch of page data came to. */
export type FetchedPayload =
  | { readonly kind: 'payload'; readonly payload: Payload; readonly url: URL }
  /** The answer is no page data: the browser has to load the document itself. */
  | { readonly kind: 'document' }

/** What the browser tells the server about what it shows. */
export type PayloadRequest = {
  readonly url: URL
  readonly held: readonly string[]
  readonly from: string
  readonly signal: AbortSignal
}

/**
 * Fetches a page's data. Any status counts as long as the body is a payload: a 404 has its
 * screen in it.
 */
export async function fetchPayload({
  url,
  held,
  from,
  signal,
}: PayloadRequest): Promise<FetchedPayload> {
  const response = await fetch(payloadUrl(url.pathname, url.search), {
    headers: {
      [heldSegmentsHeader]: held.join(','),
      [navigationFromHeader]: from,
    },
    signal,
  })
  const isPayload = response.headers.get('content-type')?.startsWith('text/x-component')
  if (!isPayload || !response.body) return { kind: 'document' }
  const payload = await createFromReadableStream<Payload>(response.body)
  return { kind: 'payload', payload, url: response.redirected ? shownUrl(response, url) : url }
}

// A page that redirects answers its data with a redirect to the target's data.
function shownUrl(response: Response, requested: URL): URL {
  const { pathname, search } = new URL(response.url)
  const shown = pagePathnameOf(pathname)
  return shown === null ? requested : new URL(shown + search, requested)
}
