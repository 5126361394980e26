import type { Attributes } from '@opentelemetry/api'
import type { HandlerResponse, ServerRequest, ServerStep } from 'waymark/plugin'
import { cacheStatusHeader } from 'waymark/plugin/server'

/**
 * Returns the attributes that a request's span has from its start, so that samplers can read them.
 * Queries, addresses of clients and user agents may identify a person, so they are left out.
 * @see OpenTelemetry's semantic conventions for HTTP server spans
 */
export function requestAttributes({ method, target, origin }: ServerRequest): Attributes {
  const [path = '/'] = target.split('?', 1)
  const [scheme = 'http', host = ''] = origin.split('://')
  const [address = host, port] = host.split(/:(\d+)$/)
  return {
    'http.request.method': standardMethod(method) ?? '_OTHER',
    'url.path': path,
    'url.scheme': scheme,
    'server.address': address,
    'server.port': port === undefined ? (scheme === 'https' ? 443 : 80) : Number(port),
  }
}

const methods = /^(?:GET|HEAD|POST|PUT|DELETE|CONNECT|OPTIONS|TRACE|PATCH)$/

/** Returns the method, or `null` if a client has made it up. Some hosts accept any method. */
export function standardMethod(method: string): string | null {
  return methods.test(method) ? method : null
}

export function responseAttributes({ status, headers, body }: HandlerResponse): Attributes {
  const attributes: Attributes = { 'http.response.status_code': status }
  for (const [name, value] of headers) {
    if (name === cacheStatusHeader) attributes['waymark.page_cache'] = value
  }
  if (typeof body === 'string' || body instanceof Uint8Array) {
    attributes['http.response.body.size'] = Buffer.byteLength(body)
  }
  return attributes
}

/** Returns the name of a step's span, which contains only names of the app's source code. */
export function stepAttributes(step: ServerStep): { name: string; attributes: Attributes } {
  const attributes: Attributes = { 'waymark.step': step.kind }
  switch (step.kind) {
    case 'layout':
    case 'page':
    case 'guard':
    case 'route-handler':
      attributes['code.file.path'] = `app/${step.file}`
      return { name: `${step.kind} ${step.file}`, attributes }
    case 'cached':
    case 'action':
      attributes[`waymark.${step.kind}`] = step.id
      return { name: `${step.kind} ${step.id}`, attributes }
    default:
      return { name: step.kind, attributes }
  }
}

const maxTypeLength = 100

/** Returns the name of an error's class. Its message may contain personal data, so it is left out. */
export function errorType(thrown: unknown): string {
  try {
    if (!(thrown instanceof Error)) return typeof thrown
    // An app's class may set a name of another type.
    return typeof thrown.name === 'string' ? thrown.name.slice(0, maxTypeLength) : 'Error'
  } catch {
    // Each access to a revoked proxy throws, and a getter may throw.
    return 'Error'
  }
}
