const forwardMs = 30_000

// RFC 9110 §7.6.1 and §10.1.1: of one connection, and not of the message.
const hopByHop = /^(?:connection|keep-alive|te|trailer|transfer-encoding|upgrade|expect|proxy-.*)$/

/** Lets another site respond. @param target a whole URL */
export async function forward(
  target: string,
  request: Request,
  requestHeaders = request.headers,
): Promise<Response> {
  const headers = endToEnd(requestHeaders)
  // What `fetch` writes itself: it decodes the codings that it knows, and no others.
  for (const name of ['host', 'content-length', 'accept-encoding']) headers.delete(name)
  const { body } = request
  // `fetch` of Node 20 and 24 tees a body for a redirect, and would keep all that nobody reads.
  if (body) body.tee = () => [new ReadableStream(), body]
  const response = await fetch(target, {
    method: request.method,
    headers,
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

/** The headers without those of the connection, which names some itself. */
export function endToEnd(headers: Headers): Headers {
  const named = (headers.get('connection') ?? '').toLowerCase().split(/[\s,]+/)
  return new Headers([...headers].filter(([name]) => !hopByHop.test(name) && !named.includes(name)))
}
