import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { onTestFinished } from 'vitest'
import type { HandlerResponse } from '../../http/response.ts'
import {
  loadStaticFiles,
  type StaticFiles,
  type StaticFilesOptions,
} from '../static/staticFiles.ts'
import { writeResponse } from '../writeResponse.ts'

export async function startServer(listener: RequestListener): Promise<number> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return (server.address() as AddressInfo).port
}

/** Maximum milliseconds to wait on a slow machine. */
const patienceMs = 10_000

/**
 * Sends bytes unchanged. @returns everything that the server sends until it closes the connection
 * or falls silent
 */
export function exchange(port: number, text: string, silenceMs = 300): Promise<string> {
  return new Promise((resolve) => {
    let received = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(text, 'latin1'))
    socket.setTimeout(patienceMs, () => socket.destroy())
    socket.on('data', (bytes) => {
      socket.setTimeout(silenceMs)
      received += bytes.toString('latin1')
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(received))
  })
}

export function requestText(method: string, target: string, lines: readonly string[] = []): string {
  return [`${method} ${target} HTTP/1.1`, 'Host: a.test', ...lines, '', ''].join('\r\n')
}

export async function until(holds: () => boolean): Promise<void> {
  const deadlineMs = Date.now() + patienceMs
  while (!holds()) {
    if (Date.now() > deadlineMs)
      throw new Error('The condition did not become true within ten seconds.')
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

/** Starts a server that sends the same response to every request. @returns the port */
export function serveAnswer(
  answer: () => HandlerResponse,
  errors: unknown[] = [],
): Promise<number> {
  return startServer(async (_req, res) => {
    try {
      await writeResponse(res, answer())
    } catch (error) {
      errors.push(error)
      if (!res.headersSent) res.writeHead(500).end()
    }
  })
}

/** Creates a body that yields strings, then waits until its reader calls `return()`. */
export function createWaitingBody(
  texts: readonly string[],
  heard: { onNext?: () => void; onReturn: () => void },
): AsyncIterable<Uint8Array> {
  const left = [...texts]
  return {
    [Symbol.asyncIterator]: () => ({
      next() {
        heard.onNext?.()
        const text = left.shift()
        return text === undefined
          ? new Promise<never>(() => {})
          : Promise.resolve({ done: false as const, value: Buffer.from(text) })
      },
      return() {
        heard.onReturn()
        return Promise.resolve({ done: true, value: undefined })
      },
    }),
  }
}

export async function* pieces(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text)
}

export async function serveFiles(
  options: StaticFilesOptions,
): Promise<{ port: number; files: StaticFiles }> {
  const files = loadStaticFiles(options)
  const port = await startServer((req, res) => {
    if (!files.serve(req, res)) res.writeHead(299, { 'content-length': 7 }).end('handler')
  })
  return { port, files }
}

export type Received = { status: number; headers: Map<string, string>; body: string }

/** Sends a request without normalizing its target. */
export async function send(
  port: number,
  target: string,
  lines: readonly string[] = [],
  method = 'GET',
): Promise<Received> {
  const text = requestText(method, target, ['connection: close', ...lines])
  const received = await exchange(port, text, 2000)
  const [head = '', ...body] = received.split('\r\n\r\n')
  const [statusLine = '', ...headers] = head.split('\r\n')
  const named = headers.map((line): [string, string] => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 2)]
  })
  return {
    status: Number(statusLine.split(' ')[1]),
    headers: new Map(named),
    body: body.join('\r\n\r\n'),
  }
}
