import type { IncomingMessage } from 'node:http'
import type { HandlerResponse } from 'waymark/plugin'
import { timedOut, withDeadline } from './deadline.ts'

/** Creates a response that no browser stores. */
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
