import type { IncomingMessage } from 'node:http'
import {
  type HandlerResponse,
  isFromThisMachine,
  plainText,
  sourceOfRequest,
  timedOut,
  uncached,
  withDeadline,
} from 'waymark/internal/vite'

/** A response to a program, as JSON. */
export function uncachedJson(value: unknown): HandlerResponse {
  return uncached(200, 'application/json', JSON.stringify(value))
}

/** Refuses another method than the only one of a URL. */
export function refuseMethod(only: 'GET' | 'POST'): HandlerResponse {
  return withLines(plainText(405, `Send a ${only}.`), [['allow', only]])
}

/** Adds header lines to a response. */
export function withLines(
  response: HandlerResponse,
  lines: HandlerResponse['headers'],
): HandlerResponse {
  return { ...response, headers: [...response.headers, ...lines] }
}

const maxBodyBytes = 256 * 1024
const bodyWithinMs = 10_000

/** Reads a body that is said to be JSON. @returns the refusal of one that is not */
export async function readJsonText(req: IncomingMessage): Promise<string | HandlerResponse> {
  // A form of another site can't send it without asking.
  if (!/^application\/json\s*(?:;|$)/i.test(req.headers['content-type'] ?? ''))
    return plainText(415, 'Send application/json.')
  const body = await withDeadline(readBody(req), bodyWithinMs)
  if (body === timedOut) return plainText(408, 'The body took too long.')
  return body ?? plainText(413, `The body has more than ${maxBodyBytes} bytes.`)
}

/** Refuses what is of no program or page of this machine. @returns `null` for who may ask */
export function refuseOthers(req: IncomingMessage): HandlerResponse | null {
  const { host, origin = null, 'sec-fetch-site': site } = req.headers
  if (!isFromThisMachine(req) || !isAtLoopback(`http://${host}`)) {
    return plainText(403, 'Agents reach the dev server from its own machine, at localhost.')
  }
  const sent = { site: site === undefined ? null : String(site), origin }
  if (sourceOfRequest(sent, `http://${host}`) === 'cross-origin') {
    return plainText(403, 'This is for programs, and for no page of another site.')
  }
  return null
}

function isAtLoopback(url: string): boolean {
  return URL.canParse(url) && /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(new URL(url).hostname)
}

/** @returns `null` when there is more than may be */
async function readBody(req: IncomingMessage): Promise<string | null> {
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of req as AsyncIterable<Buffer>) {
    bytes += piece.length
    // Read on: a request that is cut gets no response.
    if (bytes <= maxBodyBytes) pieces.push(piece)
  }
  return bytes > maxBodyBytes ? null : Buffer.concat(pieces).toString('utf8')
}
