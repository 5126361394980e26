import type { ServerResponse } from 'node:http'
import type { HandlerResponse, HeaderLines, ResponseBody } from '../http/response.ts'
import { neverThrows } from '../shared/neverThrows.ts'

// The server controls the connection. An app that passes on another server's response may send these
// by accident.
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
 * @returns for a streamed body, a promise of its end. The promise rejects if the body failed and the
 *   socket was cut
 * @throws before anything is sent, for an invalid status or header
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
    // ASCII needs no encoder.
    endWithText(res, body, length === body.length ? 'latin1' : 'utf8')
  } else if (body.byteLength > maxJoinedBytes) res.end(body)
  else {
    const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
    endWithText(res, bytes.toString('latin1'), 'latin1')
  }
}

// Avoids Node's `end(text)`, which would write an empty text after it.
function endWithText(res: ServerResponse, text: string, encoding: 'utf8' | 'latin1'): void {
  const { socket } = res
  // The socket is corked by other code, or the client has left.
  if (!socket || socket.writableCorked > 0) return void res.end(text, encoding)
  // Cork it here, because `write` would cork it until the next tick.
  socket.cork()
  res.write(text, encoding)
  socket.uncork()
  res.end()
}

// Node joins a text with the head, but sends bytes in a second write, which adds 10% to the time of a
// small response. In Latin-1, each byte is one character.
const maxJoinedBytes = 16_384

// RFC 9110 §15.3.5 and §15.4.5
function forbidsBody(status: number): boolean {
  return status === 204 || status === 304
}

/** @param length `undefined` keeps the response's own line, and `null` sends none */
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
  // Node throws for control characters, which prevents header injection.
  if (res.getHeaderNames().length === 0) {
    res.writeHead(status, raw)
  } else {
    addHeaders(res, raw)
    res.writeHead(status)
  }
}

// If headers were set before, Node 20 drops repeated names.
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
 * Writes a streamed body at the client's speed. If the client leaves, the body's `return()` is called
 * at once.
 * @returns settles at the end of the response. If the body fails, it rejects and cuts the connection,
 *   because a clean end would look complete
 */
export function pumpBody(res: ServerResponse, body: AsyncIterator<Uint8Array>): Promise<void> {
  // Makes Node throw as soon as the body does not match its content-length.
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
    // If the first chunk is ready, it is sent together with the head.
    setImmediate(() => {
      if (!isHeadSent && !isOver) res.flushHeaders()
    })
  })
}

export function releaseBody(body: AsyncIterator<Uint8Array>): void {
  // The reader has left, so nobody needs to know if this fails.
  try {
    body.return?.().then(undefined, () => {})
  } catch {}
}

function cut(res: ServerResponse): void {
  // Without chunks (HTTP/1.0), closing the connection counts as a clean end.
  if (res.req.httpVersion === '1.0') res.socket?.resetAndDestroy()
  else res.destroy()
}
