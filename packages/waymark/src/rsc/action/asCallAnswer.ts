import type { Answer } from '../../shared/answer.ts'
import { payloadType } from '../../shared/protocol.ts'
import { callAnswer } from './refusal.ts'

/**
 * Says in terms of a call what proxy.ts answered in its place: a script that calls could not see a
 * redirect, and would send its call there.
 */
export async function asCallAnswer(given: Answer): Promise<Answer> {
  const headerOf = (wanted: string) =>
    given.headers.find(([name]) => name.toLowerCase() === wanted)?.[1]
  const location = headerOf('location')
  const isRedirect = given.status >= 300 && given.status < 400 && location !== undefined
  if (headerOf('content-type') === payloadType || !isRedirect) return given
  const answer = await callAnswer({ kind: 'redirect', location, type: 'replace' }, 200)
  const kept = given.headers.filter(([name]) => name.toLowerCase() === 'set-cookie')
  return { ...answer, headers: [...answer.headers, ...kept] }
}
