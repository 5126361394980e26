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

/** A request that went through the proxy, and the fault that affected it. */
export type RecordedRequest = ProxiedRequest & {
  readonly atMs: number
  readonly fault: Fault | null
}

/** A proxy in front of an app that can make the app's responses fail. */
export type FaultProxy = Omit<FaultRules, 'take'> & {
  /** Origin to open in the browser instead of the app's own: `http://localhost:PORT`. */
  readonly origin: string
  /** All requests that the proxy has received, in order. */
  readonly requests: readonly RecordedRequest[]
  /** Forwards later requests to a different app, as if a new build had been deployed. */
  forwardTo(origin: string): void
  /** Closes all connections and stops the proxy. */
  stop(): Promise<void>
}

/**
 * Starts a proxy in front of an app. It forwards everything unchanged, including WebSockets, until
 * a fault is switched on.
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
 * Forwards a request to an app, and applies a fault to the response.
 * @returns a promise that resolves when the response has ended; for a response that hangs,
 * immediately
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
    // To cut the body at an exact byte, wait until each chunk has been sent.
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
  // Faults refer to the bytes and rows of an uncompressed body, so request one.
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

/** True if a URL's host is this machine. Servers on this machine accept any host name. */
export function isLoopback({ hostname }: URL): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
}

// On a remote machine, the host selects the app, and the origin decides if an action may be called.
// So replace both with the app's own.
function asIfSentTo(app: URL, { host, origin, ...headers }: OutgoingHttpHeaders) {
  const isSameOrigin = typeof origin === 'string' && origin.endsWith(`//${host}`)
  return {
    ...headers,
    host: app.host,
    ...(origin ? { origin: isSameOrigin ? app.origin : origin } : {}),
  }
}

/** Sends the request with only the start of its body, and then disconnects. */
async function askInPart(app: URL, request: IncomingMessage, atByte: number): Promise<void> {
  const body = Buffer.concat(await request.toArray()).subarray(0, atByte)
  const { hostname, port } = app
  const { method, url: path, headers } = request
  const upstream = httpRequest({ hostname, port, method, path, headers })
  upstream.on('error', () => {})
  upstream.flushHeaders()
  if (body.length > 0) await new Promise((resolve) => upstream.write(body, resolve))
  // Destroying the request at once could discard the bytes, so give them time to arrive.
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
    // Leave out headers about the connection to the app. The browser has its own connection, to this
    // proxy.
    if (!isLength && name !== 'connection' && name !== 'keep-alive') headers[name] = values
  }
  // A remote app's redirects must not lead the browser away from the proxy.
  if (headers.location) headers.location = headers.location.map((to) => localOf(to, app))
  if (fault?.kind !== 'replace') return [upstream.statusCode ?? 502, headers]
  for (const [name, value] of Object.entries(fault.headers ?? {})) headers[name] = [value]
  return [fault.status ?? upstream.statusCode ?? 502, headers]
}

/** Resets the connection, as a network failure does. */
export function resetConnection(response: ServerResponse): void {
  response.socket?.resetAndDestroy()
}

// Forwards the dev server's WebSocket byte for byte, without faults.
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
