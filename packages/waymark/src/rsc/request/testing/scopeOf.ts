import { toServerRequest } from '../../../http/web.ts'
import { createScope, type RequestPhase, type RequestScope } from '../scope.ts'

/** Creates the scope of a request for a page, in a phase. */
export function scopeOf(
  phase: RequestPhase,
  sent: HeadersInit = {},
  onDynamic?: (reason: string) => void,
): RequestScope {
  const request = toServerRequest(new Request('https://site.test/a?b=1', { headers: sent }))
  const url = { pathname: '/a', search: '?b=1' }
  return createScope({ request, url, phase, onAfterError: () => '', onDynamic })
}

/** Waits a few milliseconds, so that work that has started can end. */
export const turn = () => new Promise((resolve) => setTimeout(resolve, 5))
