import type { HandlerResponse } from '../../shared/answer.ts'
import { type RequestScope, responseHeaders } from '../request/scope.ts'

/** Puts the cookies that were set into an answer: who gets it again, gets them again. */
export async function withCookies(
  answer: () => Promise<HandlerResponse>,
  scope: RequestScope,
): Promise<HandlerResponse> {
  const given = await answer()
  return { ...given, headers: [...given.headers, ...responseHeaders(scope)] }
}
