import type { ServerRequest } from '../../http/response.ts'

/**
 * Headers by which proxies say where a request came from, and their true values. Others, such as
 * `x-forwarded-user` of a proxy that signs people in, belong to the app and its proxy.
 */
const trueValues: Readonly<Record<string, (request: ServerRequest) => string | null | undefined>> =
  {
    'x-forwarded-for': ({ forwardedFor }) => forwardedFor,
    'x-forwarded-port': () => null,
    'x-real-ip': ({ remoteAddress }) => remoteAddress,
    forwarded: () => null,
  }

/**
 * Replaces what a client, or a proxy that nobody trusts, has written about the way of a request by what
 * the server knows. Headers that the server knows no value for are removed. `x-forwarded-host` and
 * `x-forwarded-proto` are always there, so that packages find host and scheme.
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
