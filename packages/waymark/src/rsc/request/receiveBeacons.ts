import { sourceOfRequest } from '../../http/requestSource.ts'
import type { HandlerResponse, HeaderLines, ServerRequest } from '../../http/response.ts'
import { createTokenBucket, createTokenBuckets, type Rate } from '../../journal/journal.ts'
import { clientNetwork } from './clientNetwork.ts'
import { readText } from './readBody.ts'

/** Limits of an endpoint that receives beacons. */
export type BeaconLimits = {
  readonly overall: Rate
  /** Rate limit for the network of a single client, see `clientNetwork`. */
  readonly perClient: Rate
  /**
   * Maximum number of clients to remember. Above this number, the least recent client is forgotten.
   */
  readonly maxClients: number
  /** Maximum size of one body, in bytes. */
  readonly maxBytes: number
}

// Maximum milliseconds for receiving a beacon. Browsers send beacons without pauses.
const withinMs = 10_000

/**
 * Creates the `handle` of an endpoint to which pages of this origin post with
 * `navigator.sendBeacon` or `fetch`. Requests from other origins, floods, and bodies that are too
 * large or too slow are refused before `receive` runs. Programs can still send any string, so parse
 * the string and limit what you store.
 * @param receive gets the body as a string. Return `false` for a string that none of your pages
 * send, to respond with a 400
 * @param now returns the time in milliseconds, for the rate limits
 * @returns a function that responds with 204, 400, 403, 405, 408, 413 or 429, without a body
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
    // Check the client's own limit first, so that one client can't use up the limit for all.
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
 * True for a request that a browser sent from a page on this origin, according to `sec-fetch-site` or `origin`. This
 * protects visitors from other sites. A program can send the same headers, so use credentials to find out who sends a
 * request.
 */
export function isSameOriginRequest({ headers, origin }: ServerRequest): boolean {
  const sent = { site: headers.get('sec-fetch-site'), origin: headers.get('origin') }
  return sourceOfRequest(sent, origin) === 'same-origin'
}

function emptyResponse(status: number, headers: HeaderLines = []): HandlerResponse {
  return { status, headers: [['cache-control', 'no-store'], ...headers], body: null }
}
