import type { ServerResponse } from 'node:http'
import type { HandlerResponse, HeaderLines, ResponseBody } from '../http/response.ts'
import { neverThrows } from '../shared/neverThrows.ts'

// Headers that an app can't set, because the server controls the connection. An app that passes on
// a different server's response may send them by accident.
const connectionHeaders: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/**
 * Writes a response to a socket, with back-pressure.
 * @returns for a streamed body, a promise that resolves at the end of the body, and rejects if the body failed and the
 *   socket was cut
 * @throws for an invalid status or header, before anything is sent
 */
export function writeResponse(
  res: ServerResponse,
  response: HandlerResponse,
): Promise<void> | undefined {
  const { body, upgrade } = response
  if (upgrade) return upgrade.take(res, response.headers)
  if (body === null || typeof body === 'string' || body instanceof Uint8Array) {
    writeWhole(res, response, body)
    return undefined
  }
  const iterator = body[Symbol.asyncIterator]()
  try {
    writeHead(res, response, forbidsBody(response.status) ? null : undefined)
  } catch (error) {
    releaseBody(iterator)
    throw error
  }
  if (res.req.method !== 'HEAD' && !forbidsBody(response.status)) return pumpBody(res, iterator)
  releaseBody(iterator)
  res.end()
  return undefined
}

type WholeBody = Exclude<ResponseBody, AsyncIterable<Uint8Array>>

function writeWhole(res: ServerResponse, response: HandlerResponse, body: WholeBody): void {
  const isHead = res.req.method === 'HEAD'
  if (forbidsBody(response.status)) {
    writeHead(res, response, null)
    return void res.end()
  }
  // RFC 9110 §9.3.2: HEAD gets the content-length of GET.
  const length = Buffer.byteLength(body ?? '')
  writeHead(res, response, body === null && isHead ? undefined : length)
  if (isHead || body === null) res.end()
  else if (typeof body === 'string') {
    // ASCII written as Latin-1 needs no encoder.
    endWithText(res, body, length === body.length ? 'latin1' : 'utf8')
  } else if (body.byteLength > maxJoinedBytes) res.end(body)
  else {
    const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
    endWithText(res, bytes.toString('latin1'), 'latin1')
  }
}

// Ends a response with a string. Node's own `end(text)` would write an additional empty string.
function endWithText(res: ServerResponse, text: string, encoding: 'utf8' | 'latin1'): void {
  const { socket } = res
  // If other code has corked the socket or the client has left, leave it to Node.
  if (!socket || socket.writableCorked > 0) return void res.end(text, encoding)
  // `write` would cork the socket until the next tick, so cork it here.
  socket.cork()
  res.write(text, encoding)
  socket.uncork()
  res.end()
}

// Maximum bytes to pass as a Latin-1 string, in which each byte is one character. Node sends a
// string together with the head, but bytes in a second write, which makes a small response 10%
// slower.
const maxJoinedBytes = 16_384

// True for statuses whose responses have no body. RFC 9110 §15.3.5 and §15.4.5
function forbidsBody(status: number): boolean {
  return status === 204 || status === 304
}

/**
 * Writes the status and headers.
 * @param length value for `content-length`. `undefined` keeps the response's own line, and `null` removes it
 */
function writeHead(
  res: ServerResponse,
  response: HandlerResponse,
  length: number | null | undefined,
): void {
  const { status, headers } = response
  if (!Number.isInteger(status) || status < 200 || status > 599) {
    throw new RangeError(`A response can't have the status ${status}.`)
  }
  const raw = toRawHeaders(headers, length)
  // Node prevents header injection: it throws for control characters.
  if (res.getHeaderNames().length === 0) {
    res.writeHead(status, raw)
  } else {
    addHeaders(res, raw)
    res.writeHead(status)
  }
}

// Adds header lines one by one, because Node 20 drops repeated names if headers have been set
// before.
function addHeaders(res: ServerResponse, raw: readonly string[]): void {
  const names = raw.filter((_, i) => i % 2 === 0)
  for (const name of names) if (name.toLowerCase() !== 'vary') res.removeHeader(name)
  for (const [i, name] of names.entries()) res.appendHeader(name, raw[i * 2 + 1] as string)
}

function toRawHeaders(lines: HeaderLines, length: number | null | undefined): string[] {
  const raw: string[] = []
  for (const [name, value] of lines) {
    const lower = name.toLowerCase()
    if (connectionHeaders.has(lower)) continue
    if (lower === 'content-length' && length !== undefined) continue
    raw.push(name, value)
  }
  if (typeof length === 'number') raw.push('content-length', String(length))
  return raw
}

/**
 * Writes a streamed body at the client's speed. If the client leaves, the body's `return()` is
 * called at once.
 * @returns a promise that settles at the end of the response. If the body fails, the connection is
 * cut and the promise rejects, because a clean end would make the response look complete
 */
export function pumpBody(res: ServerResponse, body: AsyncIterator<Uint8Array>): Promise<void> {
  // Makes Node throw as soon as the body doesn't match its content-length.
  res.strictContentLength = true
  return new Promise((resolve, reject) => {
    let isOver = false
    let isHeadSent = false
    const close = neverThrows(() => {
      if (!isOver) releaseBody(body)
      isOver = true
      res.off('drain', pull)
      resolve()
    }, undefined)
    const fail = (error: unknown) => {
      if (isOver) return
      isOver = true
      reject(error)
      cut(res)
    }
    const pull = neverThrows(() => {
      try {
        body.next().then(write, fail)
      } catch (error) {
        fail(error)
      }
    }, undefined)
    const write = (piece: IteratorResult<Uint8Array>) => {
      if (isOver) return
      try {
        if (piece.done) res.end()
        isOver = piece.done === true
        if (piece.done) return
        isHeadSent ||= piece.value.byteLength > 0
        if (piece.value.byteLength === 0 || res.write(piece.value)) pull()
        else res.once('drain', pull)
      } catch (error) {
        releaseBody(body)
        fail(error)
      }
    }
    if (res.closed || res.destroyed) return close()
    res.once('close', close)
    pull()
    // If the first chunk is ready soon, it is sent together with the head, so send the head later.
    setImmediate(() => {
      if (!isHeadSent && !isOver) res.flushHeaders()
    })
  })
}

export function releaseBody(body: AsyncIterator<Uint8Array>): void {
  // The client has left, so ignore errors of the cleanup.
  try {
    body.return?.().then(undefined, () => {})
  } catch {}
}

function cut(res: ServerResponse): void {
  // HTTP/1.0 has no chunks, and a closed connection is a clean end, so reset the connection.
  if (res.req.httpVersion === '1.0') res.socket?.resetAndDestroy()
  else res.destroy()
}
