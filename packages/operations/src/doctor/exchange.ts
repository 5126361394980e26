import { once } from 'node:events'
import type { IncomingMessage, RequestOptions } from 'node:http'
import { request as requestHttps } from 'node:https'
import { pipeline, type Readable, type Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip } from 'node:zlib'

// A static import of `node:http` reads all of its exports, and reading `WebSocket` loads fetch.
const { request: requestHttp } = process.getBuiltinModule('node:http')

const timeoutMs = 10_000

// Time limit for one request, because a page may stream for any length of time.
const maxExchangeMs = 30_000

// Maximum bytes of a response. The server may be broken or hostile, and no page is this large.
const maxBytes = 16 * 2 ** 20

// Maximum bytes of a stream, which has a few short pieces.
const maxStreamBytes = 16 * 1024

export type Exchange = {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/**
 * Sends a request without `fetch`, which blocks some ports. Each request opens a new connection,
 * which may reach a different process.
 * @throws an error with a message for the user of the command
 */
export async function send(url: URL, options: RequestOptions = {}): Promise<Exchange> {
  return exchange(url, options, async (response) => {
    const pieces: Buffer[] = []
    for await (const piece of bounded(response, maxBytes)) pieces.push(piece)
    return Buffer.concat(pieces).toString()
  })
}

/** The pieces of a body, each with the time at which it arrived. */
export type Arrivals = Exchange & {
  /** Returns the milliseconds from the head to the piece that contains a text; `null` if none does. */
  readonly afterMs: (text: string) => number | null
}

/**
 * Sends a request and records when the pieces of its body arrive, after they are decompressed.
 * @throws an error with a message for the user of the command
 */
export async function sendTimed(url: URL, options: RequestOptions): Promise<Arrivals> {
  const soFar: { readonly text: string; readonly atMs: number }[] = []
  let startedMs = 0
  const { status, headers, body } = await exchange(url, options, async (response) => {
    startedMs = performance.now()
    const decoder = new TextDecoder()
    let text = ''
    for await (const piece of bounded(decompressed(response), maxStreamBytes)) {
      text += decoder.decode(piece, { stream: true })
      soFar.push({ text, atMs: performance.now() - startedMs })
    }
    return text
  })
  const afterMs = (text: string) => soFar.find((at) => at.text.includes(text))?.atMs ?? null
  return { status, headers, body, afterMs }
}

/** Encodings that `sendTimed` can decompress, as browsers list them. */
export const browserEncodings = 'gzip, br'

function decompressed(response: IncomingMessage): Readable {
  // Ignore errors here: the pipeline passes them on to the reader of its last stream.
  const through = (unpack: Transform) => pipeline(response, unpack, () => {})
  switch (response.headers['content-encoding']) {
    case 'gzip':
      return through(createGunzip())
    case 'br':
      return through(createBrotliDecompress())
    default:
      return response
  }
}

/** @throws after the first `limit` bytes, and then closes the body */
async function* bounded(body: Readable, limit: number): AsyncGenerator<Buffer> {
  let bytes = 0
  for await (const piece of body as AsyncIterable<Buffer>) {
    bytes += piece.byteLength
    if (bytes > limit) throw new Error(`it sent more than ${limit / 1024} KB`)
    yield piece
  }
}

async function exchange(
  url: URL,
  options: RequestOptions,
  read: (response: IncomingMessage) => Promise<string>,
): Promise<Exchange> {
  const sendTo = url.protocol === 'https:' ? requestHttps : requestHttp
  const signal = AbortSignal.timeout(maxExchangeMs)
  const request = sendTo(url, { ...options, agent: false, timeout: timeoutMs, signal })
  request.on('timeout', () =>
    request.destroy(new Error(`it did not respond within ${timeoutMs / 1000} s`)),
  )
  // Ignore errors here: they also reject the promises awaited below. Without a listener, an error after
  // the response has begun would crash the process.
  request.on('error', () => {})
  request.end()
  try {
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    return {
      status: response.statusCode ?? 0,
      headers: response.headers,
      body: await read(response),
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw code ? new Error(`it can't be reached (${code})`) : error
  }
}

/** Joins a server's URL, which may contain a base path, and a path below it. */
export function below(server: string, path: string): URL {
  return new URL(`${server.replace(/\/$/, '')}${path}`)
}
