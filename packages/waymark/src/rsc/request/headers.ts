import { frameworkError } from '../../shared/errors.ts'
import { isInternalHeader, prefetchHeader, prefetchPurpose } from '../../shared/protocol.ts'
import type { ServerRequest } from '../../shared/response.ts'

/** The headers of a request: the platform's `Headers`, without what changes them. */
export type ReadonlyHeaders = Headers & {
  readonly append: never
  readonly set: never
  readonly delete: never
}

const mutators = ['append', 'set', 'delete'] as const

const copies = new WeakMap<ServerRequest, ReadonlyHeaders>()

/**
 * The headers of a request in the platform's form, without the framework's own; copied once.
 * @returns an object whose `append`, `set` and `delete` throw `HEADERS_READ_ONLY`
 */
export function readonlyHeadersOf(request: ServerRequest): ReadonlyHeaders {
  const copied = copies.get(request) ?? copyHeaders(request)
  copies.set(request, copied)
  return copied
}

/**
 * Says by which host and scheme a request came, as the server takes it to be: what a client writes
 * there, or a proxy that nobody trusts, counts nowhere.
 */
export function setForwarded(headers: Headers, { origin }: ServerRequest): void {
  const [scheme = '', host = ''] = origin.split('://')
  headers.set('x-forwarded-host', host)
  headers.set('x-forwarded-proto', scheme)
}

function copyHeaders(request: ServerRequest): ReadonlyHeaders {
  const { headers: sent } = request
  const headers = new Headers([...sent.entries()].filter(([name]) => !isInternalHeader(name)))
  setForwarded(headers, request)
  if (sent.has(prefetchHeader)) headers.set(...prefetchPurpose)
  for (const method of mutators) {
    const value = () => {
      throw frameworkError('HEADERS_READ_ONLY', { method })
    }
    Object.defineProperty(headers, method, { value })
  }
  return headers as ReadonlyHeaders
}
