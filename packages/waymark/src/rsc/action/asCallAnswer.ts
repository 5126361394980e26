import type { HandlerResponse } from '../../shared/answer.ts'
import { callResponse } from './refusal.ts'

/**
 * Says in terms of a call what proxy.ts answered in its place: a script that calls could not see a
 * redirect, and would send its call there.
 */
export function toCallResponse(given: HandlerResponse): HandlerResponse | Promise<HandlerResponse> {
  const { status, headers } = given
  if (status < 300 || status >= 400) return given
  const location = headers.find(([name]) => name.toLowerCase() === 'location')?.[1]
  return location === undefined ? given : redirected(location, headers)
}

async function redirected(
  location: string,
  headers: HandlerResponse['headers'],
): Promise<HandlerResponse> {
  const answer = await callResponse({ kind: 'redirect', location, type: 'replace' }, 200)
  const kept = headers.filter(([name]) => name.toLowerCase() === 'set-cookie')
  return { ...answer, headers: [...answer.headers, ...kept] }
}
