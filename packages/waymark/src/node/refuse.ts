import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { neverThrows } from '../shared/neverThrows.ts'
import { type KnownStatus, statuses } from '../shared/statuses.ts'

/** Responds in plain text, where no screen can be rendered. @param lines raw headers */
export function refuse(
  res: ServerResponse,
  status: KnownStatus,
  lines: readonly string[] = [],
): void {
  send(res, status, plainText(status), lines)
}

/** Builds the body of a refusal in the client's preferred type, without the app's code or React. */
export type RefusalScreen = (
  status: number,
  headers: { get(name: string): string | null },
) => { readonly type: string; readonly text: string }

/** @param screen may throw; then the response is plain text */
export function refuseWithScreen(
  res: ServerResponse,
  status: KnownStatus,
  { screen, lines = [] }: { screen?: RefusalScreen | undefined; lines?: readonly string[] },
): void {
  const { accept } = res.req.headers
  let body = plainText(status)
  try {
    if (screen && accept && /html|json/.test(accept)) {
      body = screen(status, { get: (name) => String(res.req.headers[name] ?? '') || null })
    }
  } catch {
    // The status must be sent in any case.
  }
  send(res, status, body, lines)
}

function plainText(status: KnownStatus): ReturnType<RefusalScreen> {
  return { type: 'text/plain; charset=utf-8', text: `${status} ${statuses[status].phrase}\n` }
}

function send(
  res: ServerResponse,
  status: KnownStatus,
  { type, text }: ReturnType<RefusalScreen>,
  lines: readonly string[],
): void {
  const length = String(Buffer.byteLength(text))
  const own = ['content-type', type, 'cache-control', 'no-store', 'content-length', length]
  res.writeHead(status, [...lines, ...own, 'x-content-type-options', 'nosniff'])
  res.end(res.req.method === 'HEAD' ? undefined : text)
}

export const allow = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS'

// Fetch standard, "forbidden method": a Request can't have one, so no code of the app can run.
const forbiddenMethods: ReadonlySet<string> = new Set(['TRACE', 'TRACK', 'CONNECT'])

export function isForbiddenMethod(method: string | undefined): boolean {
  return method !== undefined && forbiddenMethods.has(method)
}

type ParseError = Error & { code?: string; rawPacket?: Buffer }

export function respondMalformed(error: ParseError, socket: Duplex): void {
  // A started response can't be changed.
  const { _httpMessage: running } = socket as { _httpMessage?: { headersSent: boolean } | null }
  const isOver = !socket.writable || error.code === 'ECONNRESET' || running?.headersSent
  if (isOver) return void socket.destroy()
  end(socket, statusOf(error))
}

export function respondConnect(_req: IncomingMessage, socket: Duplex): void {
  // Without a listener, a connection reset would end the process.
  const destroy = neverThrows(() => socket.destroy(), undefined)
  socket.on('error', destroy)
  end(socket, 405)
}

/** Responds to an upgrade that no other listener has written to within a time: Node would wait for ever. */
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

const statusByCode: Readonly<Record<string, KnownStatus>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
}

function statusOf({ code = '', rawPacket }: ParseError): KnownStatus {
  const head = rawPacket?.toString('latin1') ?? ''
  // A valid request with a method that the parser does not know.
  const isUnknownMethod = code === 'HPE_INVALID_METHOD' && unknownMethod.test(head)
  return isUnknownMethod ? 405 : (statusByCode[code] ?? 400)
}

const unknownMethod = /^[A-Z-]{1,24} \S{1,2000} HTTP\/1/

function end(socket: Duplex, status: KnownStatus): void {
  const allowed = status === 405 ? `Allow: ${allow}\r\n` : ''
  socket.end(
    `HTTP/1.1 ${status} ${statuses[status].phrase}\r\n${allowed}Connection: close\r\nContent-Length: 0\r\n\r\n`,
    () => socket.destroy(),
  )
}
