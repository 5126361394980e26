import type { IncomingMessage } from 'node:http'
import type { HandlerResponse } from 'waymark/plugin'
import { timedOut, withDeadline } from './deadline.ts'

/** Creates a response that browsers don't cache. */
export function uncached(status: number, type: string, body: string): HandlerResponse {
  const headers: HandlerResponse['headers'] = [
    ['content-type', type],
    ['cache-control', 'no-store'],
    ['x-content-type-options', 'nosniff'],
  ]
  return { status, headers, body }
}

export function plainText(status: number, text: string): HandlerResponse {
  return uncached(status, 'text/plain; charset=utf-8', `${text}\n`)
}

/** Creates a JSON response that clients don't cache. */
export function uncachedJson(value: unknown): HandlerResponse {
  return uncached(200, 'application/json', JSON.stringify(value))
}

/** Creates the response to a request with an unsupported method. */
export function refuseMethod(only: 'GET' | 'POST'): HandlerResponse {
  return withLines(plainText(405, `Send a ${only} request.`), [['allow', only]])
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

/**
 * Reads a JSON body without parsing it. @returns the body as a string, or a response that refuses
 * the request if the body is not valid
 */
export async function readJsonText(req: IncomingMessage): Promise<string | HandlerResponse> {
  // Pages on other sites can't send this content type without a preflight request.
  if (!/^application\/json\s*(?:;|$)/i.test(req.headers['content-type'] ?? ''))
    return plainText(415, 'Send the content type application/json.')
  const body = await withDeadline(readBody(req), bodyWithinMs)
  if (body === timedOut) return plainText(408, 'The body did not arrive in time.')
  return body ?? plainText(413, `The body is larger than ${maxBodyBytes} bytes.`)
}

/** @returns the body; `null` if the body is too large */
async function readBody(req: IncomingMessage): Promise<string | null> {
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of req as AsyncIterable<Buffer>) {
    bytes += piece.length
    // A client whose request is cut off doesn't get the response, so read the rest of the body.
    if (bytes <= maxBodyBytes) pieces.push(piece)
  }
  return bytes > maxBodyBytes ? null : Buffer.concat(pieces).toString('utf8')
}
