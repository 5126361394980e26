import type { Answer, HeaderLines, ServerRequest } from '../shared/answer.ts'
import { signalOf } from '../shared/signals.ts'
import type { ReportError } from './report.ts'

/** Answers with a built-in screen: a status that no page of the app stands behind. */
export function answerStatus(
  status: number,
  _request: ServerRequest,
  headers: HeaderLines = [],
): Answer {
  return { status, headers: [['content-type', 'text/plain'], ...headers], body: String(status) }
}

/** Answers what was thrown outside of any page: a guard's signal, or a failure. */
export function answerThrown(
  thrown: unknown,
  at: { request: ServerRequest; pathname: string; report: ReportError },
): Answer {
  const signal = signalOf(thrown)
  if (signal?.kind === 'redirect') {
    return { status: signal.status, headers: [['location', signal.location]], body: null }
  }
  if (signal) return answerStatus(signal.status, at.request)
  const digest = at.report(thrown, at)
  return answerStatus(500, at.request, [['x-waymark-digest', digest]])
}
