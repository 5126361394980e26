import { frameworkError } from '../../shared/errors.ts'
import { isInternalHeader } from '../../shared/protocol.ts'
import type { RequestHeaders } from '../../shared/response.ts'

/** The headers of a request: the platform's `Headers`, without what changes them. */
export type ReadonlyHeaders = Headers & {
  readonly append: never
  readonly set: never
  readonly delete: never
}

const mutators = ['append', 'set', 'delete'] as const

/**
 * Copies a request's headers into the platform's form, without the framework's own.
 * @returns an object whose `append`, `set` and `delete` throw `HEADERS_READ_ONLY`
 */
export function toReadonlyHeaders(sent: RequestHeaders): ReadonlyHeaders {
  const headers = new Headers([...sent.entries()].filter(([name]) => !isInternalHeader(name)))
  for (const method of mutators) {
    const value = () => {
      throw frameworkError('HEADERS_READ_ONLY', { method })
    }
    Object.defineProperty(headers, method, { value })
  }
  return headers as ReadonlyHeaders
}
