import { connect as connectTcp } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { Page } from 'playwright-core'

/** A deployed test app, as the cases use it. */
export type TestedHost = {
  /** Origin of the deployed app, such as `https://test.example`. */
  readonly origin: string
  /** Sends a request. Redirects aren't followed. @param target path and query */
  send(target: string, init?: RequestInit): Promise<Response>
  /** Sends a request and reads its body as text. */
  read(target: string, init?: RequestInit): Promise<string>
  /**
   * Sends a request exactly as it is written, on a connection of its own.
   * @param target the target in the request line, which isn't normalised
   */
  sendRaw(target: string, options?: RawOptions): Promise<RawResponse>
  /** Opens a page in a browser, which closes at the end of the run. @param target path and query */
  open(target: string): Promise<Page>
  /** Address for WebSockets. @param target path and query */
  socketUrl(target: string): string
}

type RawOptions = {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
}

export type RawResponse = {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** Milliseconds after which a request fails, so that a host that hangs ends in a failed case. */
const requestMs = 20_000

/** Maximum bytes of a response to `sendRaw`. The pages of the test app are much smaller. */
const maxRawBytes = 2 ** 20

/** @param openPage opens a page of the app in a browser */
export function createTestedHost(
  origin: string,
  openPage: (url: string) => Promise<Page>,
): TestedHost {
  const send = (target: string, init: RequestInit = {}) =>
    fetch(origin + target, {
      redirect: 'manual',
      signal: AbortSignal.timeout(requestMs),
      ...init,
    })
  return {
    origin,
    send,
    read: async (target, init) => (await send(target, init)).text(),
    sendRaw: (target, options = {}) => sendRaw(origin, target, options),
    open: (target) => openPage(origin + target),
    socketUrl: (target) => origin.replace(/^http/, 'ws') + target,
  }
}

async function sendRaw(
  origin: string,
  target: string,
  { method = 'GET', headers = {} }: RawOptions,
): Promise<RawResponse> {
  const { host } = new URL(origin)
  const lines = Object.entries({ host, connection: 'close', ...headers })
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  return parseResponse(
    await exchange(new URL(origin), `${method} ${target} HTTP/1.1\r\n${head}\r\n`),
  )
}

function exchange({ protocol, hostname, port }: URL, text: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const socket =
      protocol === 'https:'
        ? connectTls({ host: hostname, port: Number(port || 443), servername: hostname })
        : connectTcp(Number(port || 80), hostname)
    const pieces: Buffer[] = []
    let bytes = 0
    const timer = setTimeout(
      () => socket.destroy(new Error('The host sent no whole response.')),
      requestMs,
    )
    socket.on('data', (piece) => {
      bytes += piece.byteLength
      if (bytes > maxRawBytes) socket.destroy(new Error('The response is too large.'))
      else pieces.push(piece)
    })
    socket.on('error', reject)
    socket.on('close', () => {
      clearTimeout(timer)
      resolve(Buffer.concat(pieces))
    })
    socket.write(text)
  })
}

/** Parses the bytes of one response, up to the end of the connection. */
export function parseResponse(bytes: Buffer): RawResponse {
  const headEnd = bytes.indexOf('\r\n\r\n')
  if (headEnd < 0) throw new Error(`This is no HTTP response: ${bytes.toString('latin1')}`)
  const [statusLine = '', ...lines] = bytes.toString('latin1', 0, headEnd).split('\r\n')
  const headers = new Headers()
  for (const line of lines) {
    const colon = line.indexOf(':')
    headers.append(line.slice(0, colon), line.slice(colon + 1).trim())
  }
  return {
    status: Number(statusLine.split(' ')[1]),
    headers,
    text: bytes.toString('utf8', headEnd + 4),
  }
}
