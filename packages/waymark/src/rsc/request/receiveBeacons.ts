import { createTokenBucket, createTokenBuckets, type Rate } from '../../journal/journal.ts'
import { sourceOfRequest } from '../../shared/requestSource.ts'
import type { HandlerResponse, HeaderLines, ServerRequest } from '../../shared/response.ts'
import { decodeText, readBody, refusals } from './readBody.ts'
import { clientNetwork } from './readRequest.ts'

export type BeaconLimits = {
  readonly overall: Rate
  readonly perClient: Rate
  readonly maxClients: number
  readonly maxBytes: number
}

// A browser sends a beacon at once.
const withinMs = 10_000

/**
 * Receives what pages of this origin post beside the app. Anybody can send one: it is refused early.
 * @param receive takes the text; returns `false` for what no page of ours sends
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
    if (!isFromPage(request)) return emptyResponse(403)
    if (isTooMuch(request)) return emptyResponse(429, [['retry-after', '60']])
    const body = await readBody(request, { maxBytes, withinMs })
    if (body.kind !== 'body') return emptyResponse(refusals[body.kind])
    const text = decodeText(body.bytes)
    return emptyResponse(text !== null && (await receive(text, request)) ? 204 : 400)
  }
}

/** True for requests of this origin's pages, not of programs. */
export function isFromPage({ headers, origin }: ServerRequest): boolean {
  const sent = { site: headers.get('sec-fetch-site'), origin: headers.get('origin') }
  return sourceOfRequest(sent, origin) === 'same-origin'
}

function emptyResponse(status: number, headers: HeaderLines = []): HandlerResponse {
  return { status, headers: [['cache-control', 'no-store'], ...headers], body: null }
}
