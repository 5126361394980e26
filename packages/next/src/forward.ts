import type { ProxyContext } from 'waymark/server'

const forwardMs = 30_000

// RFC 9110 §7.6.1 and §10.1.1: of one connection, and not of the message.
const hopByHop = /^(?:connection|keep-alive|te|trailer|transfer-encoding|upgrade|expect|proxy-.*)$/

/** Headers in which a proxy describes the client. They count only from a trusted peer. */
const forwardingHeader = /^(?:forwarded|x-forwarded-.*|x-real-ip)$/

/** A request that leaves the app. */
export type Outgoing = {
  readonly request: Request
  /** As `receivedHeaders()` returned them. */
  readonly received: Headers
  /** As the app's proxy left them; default: as received. */
  readonly headers?: Headers | undefined
  readonly context: Pick<ProxyContext, 'forwardedFor' | 'remoteAddress'>
}

/** Lets another server respond. @param target a whole URL */
export async function forward(target: string, outgoing: Outgoing): Promise<Response> {
  const { request } = outgoing
  const { body } = request
  // `fetch` of Node 20 and 24 tees a body for a redirect, and would keep all that nobody reads.
  if (body) body.tee = () => [new ReadableStream(), body]
  const response = await fetch(target, {
    method: request.method,
    headers: outgoingHeaders(outgoing),
    redirect: 'manual',
    signal: AbortSignal.any([request.signal, AbortSignal.timeout(forwardMs)]),
    ...(body && { body, duplex: 'half' }),
  } as RequestInit).catch((thrown: unknown) => {
    // Never sent: the client has left.
    if (request.signal.aborted) return new Response(null, { status: 499 })
    throw thrown
  })
  const received = endToEnd(response.headers)
  for (const name of ['content-encoding', 'content-length']) received.delete(name)
  return new Response(response.body, { status: response.status, headers: received })
}

/**
 * Writes the headers of every request that leaves the app. What the client says of proxies before it is
 * replaced by what the server knows of its peer; what the app's proxy has set stays.
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
  // `fetch` writes these headers itself. It can only decode the encodings that it asks for.
  for (const name of ['host', 'content-length', 'accept-encoding']) sent.delete(name)
  return sent
}

/**
 * The headers that a client has sent, without those of its connection and those that are the
 * framework's. They are taken out before the app's proxy runs: the client could name a header that the
 * proxy sets, and have it removed on the way out.
 */
export function receivedHeaders(headers: Headers): Headers {
  const received = endToEnd(headers)
  for (const name of [...received.keys()])
    if (name.startsWith('x-middleware-')) received.delete(name)
  return received
}

/** Adds the headers of the connection again, for code that takes it over: a WebSocket. */
export function withConnection(headers: Headers, sent: Headers): Headers {
  const whole = new Headers(headers)
  for (const [name, value] of sent) if (hopByHop.test(name)) whole.set(name, value)
  return whole
}

/** True where a client has named other headers than those of its connection in `Connection`. */
export function namesOtherHeaders(sent: Headers): boolean {
  return namedHeaders(sent).some((name) => sent.has(name) && !hopByHop.test(name))
}

/** The headers without those of the connection, which names some itself. */
export function endToEnd(headers: Headers): Headers {
  const named = namedHeaders(headers)
  return new Headers([...headers].filter(([name]) => !hopByHop.test(name) && !named.includes(name)))
}

function namedHeaders(headers: Headers): string[] {
  const connection = headers.get('connection')
  return connection === null ? [] : connection.toLowerCase().split(/[\s,]+/)
}
