import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { neverThrows } from '../shared/neverThrows.ts'

const reasons = {
  400: 'Bad Request',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  412: 'Precondition Failed',
  416: 'Range Not Satisfiable',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
} as const

/** A status that the server itself answers, before or instead of the handler. */
export type RefusalStatus = keyof typeof reasons

/**
 * Answers in plain text, uncached: what is served where no screen can or may be rendered.
 * @param lines further raw headers: name, value, name, value
 */
export function refuse(
  res: ServerResponse,
  status: RefusalStatus,
  lines: readonly string[] = [],
): void {
  send(res, status, { type: 'text/plain; charset=utf-8', text: plainText(status) }, lines)
}

/** Makes the body of a refusal as a client prefers it. Needs neither the app's code nor React. */
export type RefusalScreen = (
  status: number,
  headers: { get(name: string): string | null },
) => { readonly type: string; readonly text: string }

/**
 * Answers with a screen, where one is to be had: to a person who asked for a page.
 * @param screen may throw; then it is plain text
 */
export function refuseWithScreen(
  res: ServerResponse,
  status: RefusalStatus,
  { screen, lines = [] }: { screen?: RefusalScreen | undefined; lines?: readonly string[] },
): void {
  const { accept } = res.req.headers
  let body: ReturnType<RefusalScreen> = {
    type: 'text/plain; charset=utf-8',
    text: plainText(status),
  }
  try {
    if (screen && accept && /html|json/.test(accept)) {
      body = screen(status, { get: (name) => String(res.req.headers[name] ?? '') || null })
    }
  } catch {
    // Whatever is broken, the status goes out.
  }
  send(res, status, body, lines)
}

function plainText(status: RefusalStatus): string {
  return `${status} ${reasons[status]}\n`
}

function send(
  res: ServerResponse,
  status: RefusalStatus,
  { type, text }: ReturnType<RefusalScreen>,
  lines: readonly string[],
): void {
  res.writeHead(status, [
    ...lines,
    'content-type',
    type,
    'cache-control',
    'no-store',
    'x-content-type-options',
    'nosniff',
    'content-length',
    String(Buffer.byteLength(text)),
  ])
  res.end(res.req.method === 'HEAD' ? undefined : text)
}

/** The methods that some route of an app may answer, as an `allow` header lists them. */
export const allow = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS'

// Fetch standard, "forbidden method": no Request can have one, so no code of an app can be asked.
const forbiddenMethods: ReadonlySet<string> = new Set(['TRACE', 'TRACK', 'CONNECT'])

/** Tells whether a method is one that is answered 405 before anything else is asked. */
export function isForbiddenMethod(method: string | undefined): boolean {
  return method !== undefined && forbiddenMethods.has(method)
}

type ParseError = Error & { code?: string; rawPacket?: Buffer }

/**
 * Answers what Node's parser refused, and closes the connection.
 */
export function respondMalformed(error: ParseError, socket: Duplex): void {
  // A response that is under way can't be turned into another one.
  const { _httpMessage: running } = socket as { _httpMessage?: { headersSent: boolean } | null }
  if (!socket.writable || error.code === 'ECONNRESET' || running?.headersSent) {
    socket.destroy()
    return
  }
  end(socket, statusLineOf(error))
}

/**
 * Refuses CONNECT, for which Node has an event of its own: a web application is no tunnel.
 */
export function respondConnect(_req: IncomingMessage, socket: Duplex): void {
  // Without a listener, a client that resets the connection would end the process.
  socket.on(
    'error',
    neverThrows(() => socket.destroy(), undefined),
  )
  end(socket, `405 Method Not Allowed\r\nAllow: ${allow}`)
}

function statusLineOf(error: ParseError): string {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return '431 Request Header Fields Too Large'
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return '413 Payload Too Large'
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return '408 Request Timeout'
    case 'HPE_INVALID_METHOD':
      // A well-formed request whose method the parser does not know, unless it is noise.
      return /^[A-Z-]{1,24} \S{1,2000} HTTP\/1/.test(error.rawPacket?.toString('latin1') ?? '')
        ? `405 Method Not Allowed\r\nAllow: ${allow}`
        : '400 Bad Request'
    default:
      return '400 Bad Request'
  }
}

function end(socket: Duplex, statusLine: string): void {
  socket.end(`HTTP/1.1 ${statusLine}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`, () =>
    socket.destroy(),
  )
}
