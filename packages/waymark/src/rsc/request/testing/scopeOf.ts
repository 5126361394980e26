import { toServerRequest } from '../../../http/web.ts'
import { createScope, type RequestPhase, type RequestScope } from '../scope.ts'

/** The scope of a request for a page, in some phase. */
export function scopeOf(
  phase: RequestPhase,
  sent: HeadersInit = {},
  onDynamic?: (reason: string) => void,
): RequestScope {
  const request = toServerRequest(new Request('https://site.test/a?b=1', { headers: sent }))
  const url = { pathname: '/a', search: '?b=1' }
  return createScope({ request, url, phase, onAfterError: () => '', onDynamic })
}

/** Resolves when what was begun in this turn, and soon after it, is over. */
export const turn = () => new Promise((resolve) => setTimeout(resolve, 5))
