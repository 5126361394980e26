import type { ServerRequest } from '../../http/response.ts'

/**
 * Headers in which proxies report a request's origin, with functions that return the true values.
 * Others, such as `x-forwarded-user` from a proxy that signs people in, belong to the app and its
 * proxy.
 */
const trueValues: Readonly<Record<string, (request: ServerRequest) => string | null | undefined>> =
  {
    'x-forwarded-for': ({ forwardedFor }) => forwardedFor,
    'x-forwarded-port': () => null,
    'x-real-ip': ({ remoteAddress }) => remoteAddress,
    forwarded: () => null,
  }

/**
 * Replaces the forwarding headers from a client or an untrusted proxy with values that the server
 * knows to be true. Headers without a known value are removed. `x-forwarded-host` and
 * `x-forwarded-proto` are always set, because libraries read the host and the scheme there.
 */
export function correctForwarding(headers: Headers, request: ServerRequest): void {
  const [scheme = '', host = ''] = request.origin.split('://')
  headers.set('x-forwarded-host', host)
  headers.set('x-forwarded-proto', scheme)
  for (const [name, read] of Object.entries(trueValues)) {
    if (!headers.has(name)) continue
    const value = read(request)
    if (value) headers.set(name, value)
    else headers.delete(name)
  }
}
