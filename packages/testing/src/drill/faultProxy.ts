import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
} from 'node:http'
import { request as httpsRequest } from 'node:https'
import { type AddressInfo, connect } from 'node:net'
import type { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { createFaultRules, type Fault, type FaultRules, type ProxiedRequest } from './fault.ts'
import { changesBody, faultyBody } from './faultyBody.ts'

/** A request that went through the proxy, and what became of it. */
export type RecordedRequest = ProxiedRequest & {
  readonly atMs: number
  readonly fault: Fault | null
}

/** A proxy before an app whose responses can be made to fail. */
export type FaultProxy = Omit<FaultRules, 'take'> & {
  /** `http://localhost:PORT`; what the browser is given instead of the app's own origin. */
  readonly origin: string
  /** All requests so far, in the order they came. */
  readonly requests: readonly RecordedRequest[]
  /** Sends what comes from now on to another app, as a new build that was deployed. */
  forwardTo(origin: string): void
  /** Closes all connections and stops. */
  stop(): Promise<void>
}

/**
 * Starts a fault proxy before an app. It passes everything on unchanged, WebSockets too, until a
 * fault is switched on.
 * @param target the app's origin
 */
export async function startFaultProxy(target: string): Promise<FaultProxy> {
  const rules = createFaultRules()
  const requests: RecordedRequest[] = []
  let app = new URL(target)
  const server = createServer((request, response) => {
    const proxied = {
      method: request.method ?? 'GET',
      target: request.url ?? '/',
      headers: request.headers,
    }
    const fault = rules.take(proxied)
    requests.push({ ...proxied, atMs: Date.now(), fault })
    respondWithFault(app, fault, request, response).catch(() => resetConnection(response))
  })
  server.on('upgrade', (request, socket) => tunnel(app, request, socket))
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
  return {
    inject: rules.inject,
    clear: rules.clear,
    requests,
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    forwardTo(origin) {
      app = new URL(origin)
    },
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}

/**
 * Responds with what an app says, and lets the response suffer a fault.
 * @returns once the response is over; at once for one that hangs
 */
export async function respondWithFault(
  app: URL,
  fault: Fault | null,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const gone = new AbortController()
  response.on('close', () => gone.abort())
  if (fault?.kind === 'hang') return
  if (fault?.kind === 'reset') return resetConnection(response)
  if (fault?.kind === 'delay') await sleep(fault.ms, undefined, { signal: gone.signal })
  if (fault?.kind === 'replace' && fault.body !== undefined) {
    const headers = { 'content-type': 'text/html; charset=utf-8', ...fault.headers }
    response.writeHead(fault.status ?? 200, headers).end(fault.body)
    return
  }
  if (fault?.kind === 'cut-request') {
    await askInPart(app, request, fault.atByte)
    return resetConnection(response)
  }
  const path = fault?.kind === 'swap' ? fault.path : request.url
  const upstream = await ask(app, request, { path, isPlain: fault !== null, signal: gone.signal })
  if (fault?.kind === 'unheard') {
    upstream.destroy()
    return resetConnection(response)
  }
  response.writeHead(...headOf(upstream, fault, app))
  response.flushHeaders()
  for await (const chunk of faultyBody(upstream, fault, gone.signal)) {
    // Each piece goes out before the next: a cut then comes after exactly these bytes.
    await new Promise((resolve) => response.write(chunk, resolve))
  }
  response.end()
}

function ask(
  app: URL,
  request: IncomingMessage,
  options: { path: string | undefined; isPlain: boolean; signal: AbortSignal },
): Promise<IncomingMessage> {
  const { path, isPlain, signal } = options
  // Of a compressed body one can't say which byte or row to spoil.
  const headers = isPlain ? { ...request.headers, 'accept-encoding': 'identity' } : request.headers
  return new Promise((resolve, reject) => {
    const { hostname, port, protocol } = app
    const send = protocol === 'https:' ? httpsRequest : httpRequest
    const { method } = request
    const appHeaders = isLoopback(app) ? headers : asIfSentTo(app, headers)
    const upstream = send({ hostname, port, method, path, headers: appHeaders, signal })
    upstream.on('response', resolve).on('error', reject)
    request.pipe(upstream)
  })
}

/** True if a URL leads to this machine, where a server accepts any name as its own. */
export function isLoopback({ hostname }: URL): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
}

// On another machine, the host selects the app, and the origin decides if an action may be called.
function asIfSentTo(app: URL, { host, origin, ...headers }: OutgoingHttpHeaders) {
  const isSameOrigin = typeof origin === 'string' && origin.endsWith(`//${host}`)
  return {
    ...headers,
    host: app.host,
    ...(origin ? { origin: isSameOrigin ? app.origin : origin } : {}),
  }
}

/** Asks with the beginning of the body, and leaves. */
async function askInPart(app: URL, request: IncomingMessage, atByte: number): Promise<void> {
  const body = Buffer.concat(await request.toArray()).subarray(0, atByte)
  const { hostname, port } = app
  const { method, url: path, headers } = request
  const upstream = httpRequest({ hostname, port, method, path, headers })
  upstream.on('error', () => {})
  upstream.flushHeaders()
  if (body.length > 0) await new Promise((resolve) => upstream.write(body, resolve))
  // Time to arrive: what is cut at once may not have been sent.
  await sleep(50)
  upstream.destroy()
}

function localOf(location: string, app: URL): string {
  if (isLoopback(app) || !location.startsWith(`${app.origin}/`)) return location
  return location.slice(app.origin.length)
}

function headOf(
  upstream: IncomingMessage,
  fault: Fault | null,
  app: URL,
): [number, Record<string, string[]>] {
  const headers: Record<string, string[]> = {}
  for (const [name, values = []] of Object.entries(upstream.headersDistinct)) {
    const isLength = name === 'content-length' && fault !== null && changesBody(fault)
    // These two describe the connection to the app, not the one to the browser.
    if (!isLength && name !== 'connection' && name !== 'keep-alive') headers[name] = values
  }
  // Of a remote app: a redirect to itself stays behind the proxy.
  if (headers.location) headers.location = headers.location.map((to) => localOf(to, app))
  if (fault?.kind !== 'replace') return [upstream.statusCode ?? 502, headers]
  for (const [name, value] of Object.entries(fault.headers ?? {})) headers[name] = [value]
  return [fault.status ?? upstream.statusCode ?? 502, headers]
}

/** Breaks a connection off, as a network does. */
export function resetConnection(response: ServerResponse): void {
  response.socket?.resetAndDestroy()
}

// The dev server's WebSocket: passed on byte for byte, never faulty.
function tunnel(app: URL, request: IncomingMessage, socket: Duplex): void {
  const upstream = connect(Number(app.port), app.hostname, () => {
    const lines = [`${request.method} ${request.url} HTTP/1.1`]
    for (let at = 0; at < request.rawHeaders.length; at += 2) {
      lines.push(`${request.rawHeaders[at]}: ${request.rawHeaders[at + 1]}`)
    }
    upstream.write(`${lines.join('\r\n')}\r\n\r\n`)
    upstream.pipe(socket).pipe(upstream)
  })
  upstream.on('error', () => socket.destroy())
  socket.on('error', () => upstream.destroy())
}
