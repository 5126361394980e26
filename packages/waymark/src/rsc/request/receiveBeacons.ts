import { sourceOfRequest } from '../../http/requestSource.ts'
import type { HandlerResponse, HeaderLines, ServerRequest } from '../../http/response.ts'
import { createTokenBucket, createTokenBuckets, type Rate } from '../../journal/journal.ts'
import { clientNetwork } from './clientNetwork.ts'
import { readText } from './readBody.ts'

export type BeaconLimits = {
  /** Of all clients together. */
  readonly overall: Rate
  /** Of one client's network, as `clientNetwork` tells it. */
  readonly perClient: Rate
  /** Clients that are remembered; the least recent one is forgotten. */
  readonly maxClients: number
  /** Of one body. */
  readonly maxBytes: number
}

// A browser sends a beacon at once.
const withinMs = 10_000

/**
 * Creates `handle` of an endpoint for what pages of this origin post with `navigator.sendBeacon` or
 * `fetch`. Other origins, floods, and bodies that are too large or too slow are refused before `receive`
 * is called. A program can still send any text: parse the text, and limit what you store.
 * @param receive takes the text; returns `false` for a text that no page sends, which responds with 400
 * @param now milliseconds, for the limits
 * @returns a function that responds with 204, 400, 403, 405, 408, 413 or 429, and without a body
 */
export function receiveBeacons(
  { overall, perClient, maxClients, maxBytes }: BeaconLimits,
  receive: (text: string, request: ServerRequest) => boolean | Promise<boolean>,
  now = Date.now,
): (request: ServerRequest) => Promise<HandlerResponse> {
  const all = createTokenBucket(overall)
  const clients = createTokenBuckets(perClient, maxClients)

  function isTooMuch(request: ServerRequest): boolean {
    const client = clientNetwork(request)
    // The client's limit first, so that one client can't use up the common limit.
    return (client !== null && !clients.take(client, now())) || !all.take(now())
  }

  return async (request) => {
    if (request.method !== 'POST') return emptyResponse(405, [['allow', 'POST']])
    if (!isSameOriginRequest(request)) return emptyResponse(403)
    if (isTooMuch(request)) return emptyResponse(429, [['retry-after', '60']])
    const body = await readText(request, { maxBytes, withinMs })
    if (body.kind === 'refused') return emptyResponse(body.status)
    return emptyResponse((await receive(body.text, request)) ? 204 : 400)
  }
}

/**
 * True for a request that a browser has sent for a page of this origin, by `sec-fetch-site` or `origin`.
 * Protects visitors from other sites. A program can send the same headers: who sends a request is
 * decided by its credentials alone.
 */
export function isSameOriginRequest({ headers, origin }: ServerRequest): boolean {
  const sent = { site: headers.get('sec-fetch-site'), origin: headers.get('origin') }
  return sourceOfRequest(sent, origin) === 'same-origin'
}

function emptyResponse(status: number, headers: HeaderLines = []): HandlerResponse {
  return { status, headers: [['cache-control', 'no-store'], ...headers], body: null }
}
