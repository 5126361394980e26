import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { type StatusCode, statuses } from '../http/statuses.ts'
import { neverThrows, tryOrUndefined } from '../shared/neverThrows.ts'
import type { Linger } from './linger.ts'
import { encodeUnencodedTarget, type ParseError } from './unencodedTarget.ts'

/** Responds in plain text, if no screen can be rendered. @param lines raw header lines */
export function refuse(
  res: ServerResponse,
  status: StatusCode,
  lines: readonly string[] = [],
): void {
  send(res, status, plainText(status), lines)
}

/**
 * Builds the body for a refused request in the type that the client prefers. Runs neither app code
 * nor React.
 */
export type RefusalScreen = (
  status: number,
  headers: { get(name: string): string | null },
) => { readonly type: string; readonly text: string }

/**
 * Refuses a request, with a screen if the client accepts one.
 * @param screen creates the body. If it throws, the response is plain text
 * @param linger keeps reading from a client that still sends its body, so that the client gets the
 * response
 */
export function refuseWithScreen(
  res: ServerResponse,
  status: StatusCode,
  {
    screen,
    lines = [],
    linger,
  }: {
    readonly screen?: RefusalScreen | undefined
    readonly lines?: readonly string[]
    readonly linger?: Linger | undefined
  },
): void {
  const { accept } = res.req.headers
  let body = plainText(status)
  try {
    if (screen && accept && /html|json/.test(accept)) {
      body = screen(status, { get: (name) => String(res.req.headers[name] ?? '') || null })
    }
  } catch {
    // Ignore the screen's error, because the status must be sent in any case.
  }
  send(res, status, body, lines)
  linger?.finish(res.req, res)
}

/**
 * Refuses a request because the server is overloaded. It costs little, since most requests may get
 * this response.
 * @param options.isPageData true if only the router reads the response
 */
export function refuseBusy(
  res: ServerResponse,
  options: {
    readonly screen?: RefusalScreen | undefined
    readonly linger?: Linger | undefined
    readonly isPageData: boolean
  },
): void {
  // Whole seconds (RFC 9110 §10.2.3). Random, so that the requests don't all come back together.
  const lines = ['retry-after', String(1 + Math.floor(Math.random() * 3)), 'vary', 'accept']
  if (!options.isPageData) {
    refuseWithScreen(res, 503, { ...options, lines })
    return
  }
  send(res, 503, { ...plainText(503), text: '' }, lines)
  options.linger?.finish(res.req, res)
}

function plainText(status: StatusCode): ReturnType<RefusalScreen> {
  return { type: 'text/plain; charset=utf-8', text: `${status} ${statuses[status].phrase}\n` }
}

function send(
  res: ServerResponse,
  status: StatusCode,
  { type, text }: ReturnType<RefusalScreen>,
  lines: readonly string[],
): void {
  const length = String(Buffer.byteLength(text))
  const content = ['content-type', type, 'cache-control', 'no-store', 'content-length', length]
  res.writeHead(status, [...lines, ...content, 'x-content-type-options', 'nosniff'])
  res.end(res.req.method === 'HEAD' ? undefined : text)
}

export const allow = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS'

// Methods that a `Request` can't have, so that no app code can handle them. Fetch standard,
// "forbidden method".
const forbiddenMethods: ReadonlySet<string> = new Set(['TRACE', 'TRACK', 'CONNECT'])

export function isForbiddenMethod(method: string | undefined): boolean {
  return method !== undefined && forbiddenMethods.has(method)
}

export type MalformedOptions = {
  readonly screen?: RefusalScreen | undefined
  readonly linger: Linger
  /** The response that the connection waits for or is receiving. */
  readonly running: ServerResponse | null
}

/**
 * Responds to a request that Node's parser refuses: with a redirect if the URL only lacks its
 * percent-encoding, or else with a screen if a browser seems to have asked for a document.
 */
export function respondMalformed(
  error: ParseError,
  socket: Duplex,
  { screen, linger, running }: MalformedOptions,
): void {
  // Don't respond if the connection is gone or a response has started.
  const isOver = !socket.writable || error.code === 'ECONNRESET' || running?.headersSent
  if (isOver) return void socket.destroy()
  const location = running ? null : encodeUnencodedTarget(error)
  if (location !== null) return void linger.endSocket(socket as Socket, redirectTo(location))
  const status = statusOf(error)
  const head = running ? headOfRequest(running.req) : headOfPacket(error.rawPacket)
  // In Node's HTTP servers, the stream is always a `net.Socket`.
  linger.endSocket(socket as Socket, rawResponse(status, head, screen))
}

/** Creates a redirect, as raw text. @param location visible ASCII without a host */
export function redirectTo(location: string): string {
  const lines = [
    'HTTP/1.1 308 Permanent Redirect',
    `Location: ${location}`,
    'Cache-Control: no-store',
    'Connection: close',
    'Content-Length: 0',
  ]
  return `${lines.join('\r\n')}\r\n\r\n`
}

/** Headers of a request that the parser may not have reached. */
type RawHead = { readonly method: string; get(name: string): string | null }

function headOfRequest({ method = '', headers }: IncomingMessage): RawHead {
  return { method, get: (name) => String(headers[name] ?? '') || null }
}

/**
 * Reads a head from the bytes at which the parser failed.
 * @param packet often the whole head, sometimes only a part
 */
function headOfPacket(packet?: Buffer): RawHead {
  const text = packet?.toString('latin1', 0, 65_536) ?? ''
  return {
    method: /^[A-Z]{1,20}(?= )/.exec(text)?.[0] ?? '',
    get: (name) =>
      new RegExp(`\\r\\n${name}:[ \\t]*([^\\r\\n]{0,500})`, 'i').exec(text)?.[1] ?? null,
  }
}

function rawResponse(status: StatusCode, head: RawHead, screen: RefusalScreen | undefined): string {
  const { type, text } = bodyOf(status, head, screen) ?? { type: null, text: '' }
  // The response is written as Latin-1, so turn each UTF-8 byte into one character.
  const bytes = Buffer.from(text).toString('latin1')
  const lines = [
    `HTTP/1.1 ${status} ${statuses[status].phrase}`,
    ...(status === 405 ? [`Allow: ${allow}`] : []),
    ...(type === null ? [] : [`Content-Type: ${type}`, 'X-Content-Type-Options: nosniff']),
    'Cache-Control: no-store',
    'Connection: close',
    `Content-Length: ${bytes.length}`,
  ]
  return `${lines.join('\r\n')}\r\n\r\n${head.method === 'HEAD' ? '' : bytes}`
}

/** Returns the body for a refused request, or `null` if the client accepts neither HTML nor JSON. */
function bodyOf(
  status: StatusCode,
  head: RawHead,
  screen: RefusalScreen | undefined,
): ReturnType<RefusalScreen> | null {
  // If a head is too long, the parser fails late, and the packet may not have the `accept` header.
  // Assume a browser.
  const accept = head.get('accept') ?? (status === 431 && head.method === '' ? 'text/html' : null)
  if (!screen || !accept || !/html|json/.test(accept)) return null
  return tryOrUndefined(() => screen(status, head)) ?? null
}

export function respondConnect(_req: IncomingMessage, socket: Duplex): void {
  // Without a listener, a connection reset would end the process.
  const destroy = neverThrows(() => socket.destroy(), undefined)
  socket.on('error', destroy)
  end(socket, 405)
}

/**
 * Refuses an upgrade if no other listener responds in time, because Node would wait forever. Call
 * it before the other listeners run.
 */
export function refuseUntaken(socket: Duplex, withinMs: number): void {
  const { bytesWritten } = socket as Socket
  const refuse = neverThrows(() => {
    if ((socket as Socket).bytesWritten === bytesWritten) end(socket, 400)
  }, undefined)
  const timer = setTimeout(refuse, withinMs).unref()
  const destroy = neverThrows(() => void socket.destroy(), undefined)
  const forget = neverThrows(() => clearTimeout(timer), undefined)
  socket.on('error', destroy).once('close', forget)
}

const statusByCode: Readonly<Record<string, StatusCode>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
}

function statusOf({ code = '', rawPacket }: ParseError): StatusCode {
  const head = rawPacket?.toString('latin1', 0, 65_536) ?? ''
  if (code === 'HPE_HEADER_OVERFLOW' && longTarget.test(head)) return 414
  // Node's parser rejects some valid methods that it doesn't know.
  const isUnknownMethod = code === 'HPE_INVALID_METHOD' && unknownMethod.test(head)
  return isUnknownMethod ? 405 : (statusByCode[code] ?? 400)
}

// Matches a request line with a URL that is longer than the app accepts. The limit is in
// routing/canonicalUrl.ts.
const longTarget = /^[A-Z]{1,20} \S{8193}/

const unknownMethod = /^[A-Z-]{1,24} \S{1,2000} HTTP\/1/

const noScreen: RawHead = { method: '', get: () => null }

function end(socket: Duplex, status: StatusCode): void {
  socket.end(rawResponse(status, noScreen, undefined), () => socket.destroy())
}
