import { screenDocument } from '../screens/document.ts'
import { prefersJson, problemType, screenJson } from '../screens/json.ts'
import { type ScreenRequest, screenOfStatus } from '../screens/model.ts'
import type { Answer, HeaderLines, ServerRequest } from '../shared/answer.ts'
import { signalOf } from '../shared/signals.ts'
import { answerRedirect } from './redirect.ts'
import type { ReportError } from './report.ts'

/** Answers with a built-in screen: a status that no page of the app stands behind. */
export function answerStatus(
  status: number,
  request: ServerRequest,
  headers: HeaderLines = [],
): Answer {
  return screenAnswer(status, screenOfStatus(status), request, headers)
}

/** Answers what was thrown outside of any page: a guard's signal, or a failure. */
export function answerThrown(
  thrown: unknown,
  at: {
    kind: 'document' | 'data'
    request: ServerRequest
    pathname: string
    report: ReportError
  },
): Answer {
  const signal = signalOf(thrown)
  if (signal?.kind === 'redirect') return answerRedirect(signal, at.kind)
  if (signal) return answerStatus(signal.status, at.request)
  const digest = at.report(thrown, at)
  const { host } = new URL(at.request.origin)
  const screen: ScreenRequest = { kind: 'application', side: 'server', host, digest }
  return screenAnswer(500, screen, at.request, [['x-waymark-digest', digest]])
}

function screenAnswer(
  status: number,
  screen: ScreenRequest,
  request: ServerRequest,
  headers: HeaderLines,
): Answer {
  const common: HeaderLines = [['cache-control', 'no-store'], ['vary', 'accept'], ...headers]
  if (prefersJson(request.headers.get('accept'))) {
    const digest = screen.kind === 'application' ? screen.digest : undefined
    const body = screenJson({ status, digest })
    return { status, headers: [['content-type', problemType], ...common], body }
  }
  const body = screenDocument({ screen })
  return { status, headers: [['content-type', 'text/html; charset=utf-8'], ...common], body }
}
