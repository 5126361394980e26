import type { ProxyContext } from 'waymark/server'

const forwardMs = 30_000

// Hop-by-hop headers, which apply to a single connection (RFC 9110 §7.6.1 and §10.1.1).
const hopByHop = /^(?:connection|keep-alive|te|trailer|transfer-encoding|upgrade|expect|proxy-.*)$/

/** Headers in which a proxy describes the client. Only trust them from a trusted peer. */
const forwardingHeader = /^(?:forwarded|x-forwarded-.*|x-real-ip)$/

/** A request that is forwarded to a different server. */
export type Outgoing = {
  readonly request: Request
  /** Headers as `receivedHeaders()` returned them. */
  readonly received: Headers
  /** Headers as the app's proxy changed them. Default: `received`. */
  readonly headers?: Headers | undefined
  readonly context: Pick<ProxyContext, 'forwardedFor' | 'remoteAddress'>
}

/**
 * Forwards a request to a different server, and returns the server's response. @param target
 * complete URL
 */
export async function forward(target: string, outgoing: Outgoing): Promise<Response> {
  const { request } = outgoing
  const { body } = request
  // In Node 20 and 24, `fetch` tees a body, in case it has to follow a redirect. The second branch
  // is never read and would buffer the whole body, so replace `tee`.
  if (body) body.tee = () => [new ReadableStream(), body]
  const response = await fetch(target, {
    method: request.method,
    headers: outgoingHeaders(outgoing),
    redirect: 'manual',
    signal: AbortSignal.any([request.signal, AbortSignal.timeout(forwardMs)]),
    ...(body && { body, duplex: 'half' }),
  } as RequestInit).catch((thrown: unknown) => {
    // The client has left, so nobody gets this response.
    if (request.signal.aborted) return new Response(null, { status: 499 })
    throw thrown
  })
  const received = endToEnd(response.headers)
  for (const name of ['content-encoding', 'content-length']) received.delete(name)
  return new Response(response.body, { status: response.status, headers: received })
}

/**
 * Returns the headers for a request that leaves the app. The client's forwarding headers are
 * replaced with what this server knows about its peer. Headers that the app's proxy has set are
 * kept.
 */
export function outgoingHeaders({ request, received, headers, context }: Outgoing): Headers {
  const sent = endToEnd(headers ?? received)
  for (const [name, value] of received) {
    if (forwardingHeader.test(name) && sent.get(name) === value) sent.delete(name)
  }
  const { host, protocol } = new URL(request.url)
  const peerHeaders = {
    'x-forwarded-for': context.forwardedFor,
    'x-forwarded-host': host,
    'x-forwarded-proto': protocol.slice(0, -1),
    'x-real-ip': context.remoteAddress,
  }
  for (const [name, value] of Object.entries(peerHeaders)) {
    if (value !== null && !sent.has(name)) sent.set(name, value)
  }
  // `fetch` sets these headers itself. It can only decode encodings that it has requested.
  for (const name of ['host', 'content-length', 'accept-encoding']) sent.delete(name)
  return sent
}

/**
 * Returns a client's headers without hop-by-hop headers and the framework's own headers. Call it
 * before the app's proxy runs. Otherwise, a client could list in `Connection` a header that the
 * proxy sets, and the server would remove it.
 */
export function receivedHeaders(headers: Headers): Headers {
  const received = endToEnd(headers)
  for (const name of [...received.keys()])
    if (name.startsWith('x-middleware-')) received.delete(name)
  return received
}

/**
 * Adds the hop-by-hop headers again, for code that takes over the connection, such as a WebSocket
 * server.
 */
export function withConnection(headers: Headers, sent: Headers): Headers {
  const whole = new Headers(headers)
  for (const [name, value] of sent) if (hopByHop.test(name)) whole.set(name, value)
  return whole
}

/** True if the client's `Connection` header lists headers that aren't hop-by-hop. */
export function namesOtherHeaders(sent: Headers): boolean {
  return namedHeaders(sent).some((name) => sent.has(name) && !hopByHop.test(name))
}

/**
 * Returns the headers without hop-by-hop headers. Headers listed in `Connection` are also removed.
 */
export function endToEnd(headers: Headers): Headers {
  const named = namedHeaders(headers)
  return new Headers([...headers].filter(([name]) => !hopByHop.test(name) && !named.includes(name)))
}

function namedHeaders(headers: Headers): string[] {
  const connection = headers.get('connection')
  return connection === null ? [] : connection.toLowerCase().split(/[\s,]+/)
}
