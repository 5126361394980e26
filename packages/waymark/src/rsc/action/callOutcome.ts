import type { ActionAnswer } from '../../shared/actionAnswer.ts'
import type { Answer } from '../../shared/answer.ts'
import type { Payload } from '../../shared/payload.ts'
import { digestHeader } from '../../shared/protocol.ts'
import { type FallbackStatus, signalOf } from '../../shared/signals.ts'
import { endsSoon, flightBody } from '../page/flight.ts'
import type { Failure } from '../page/gate.ts'
import type { PageRequest, Sent } from '../page/pageRequest.ts'
import { renderPage } from '../page/renderPage.ts'
import type { Place } from '../page/segments.ts'
import type { ActionApp } from './actionApp.ts'
import { pagePlaceOf } from './pagePlace.ts'
import { callAnswer, callHeaders, refuse } from './refusal.ts'
import type { ActionOutcome } from './runAction.ts'

/** Answers a call with what its action came to. */
export function answerCallOutcome(
  outcome: ActionOutcome,
  page: PageRequest,
  app: ActionApp,
): Answer | Promise<Answer> {
  switch (outcome.kind) {
    case 'returned':
    case 'invalid':
      return answerResult(outcome, page, app)
    case 'signal': {
      const { signal, thrown } = outcome
      if (signal.kind === 'redirect') return answerRedirect(signal.location, 'push')
      return answerCallFailure({ thrown, place: pagePlaceOf(page.match.root) }, page, app)
    }
    case 'failed': {
      const digest = app.report(outcome.thrown, { ...page, phase: 'action', answerStatus: 500 })
      return answerFailed(digest)
    }
    case 'refused':
      return refuse(outcome.code, 'call', page, app)
  }
}

type Result = Extract<ActionOutcome, { kind: 'returned' | 'invalid' }>

function answerResult(result: Result, page: PageRequest, app: ActionApp): Promise<Answer> {
  const status = result.kind === 'invalid' ? 422 : 200
  const { scope } = page
  const onError = (thrown: unknown) =>
    app.report(thrown, { ...page, phase: 'action', answerStatus: status })
  const isChanged = scope.invalidatedTags !== null || scope.setCookies().length > 0
  return isChanged
    ? answerWithPage(result, status, page, app)
    : callAnswer({ ...result }, status, onError)
}

/** The result together with the page, rendered after it. */
async function answerWithPage(
  result: Result,
  status: number,
  page: PageRequest,
  app: ActionApp,
): Promise<Answer> {
  // What fails within the result is no failure of the page: it goes out once the page is decided.
  let release = () => {}
  const decided = new Promise<void>((resolve) => {
    release = resolve
  })
  const value = decided.then(() => result.value)
  const envelope = (payload: Payload) => ({ ...result, value, page: payload })
  // Nothing that the browser holds may stay as it is.
  const render = await renderPage({ ...page, held: nothingHeld, envelope }, app)
  if (render.decision.kind === 'redirect') {
    render.flight.abandon()
    const { location: leaveFor } = render.decision
    return callAnswer({ ...result, leaveFor } as ActionAnswer, status, render.onError)
  }
  release()
  await endsSoon(render.flight.channel)
  return { status, headers: [...callHeaders], body: flightBody(render.flight) }
}

const nothingHeld: ReadonlySet<string> = new Set()

/** Answers a call with the screen for what failed, or with where it redirects. */
export async function answerCallFailure(
  failure: Failure<Place | null>,
  page: PageRequest,
  app: ActionApp,
): Promise<Answer> {
  const signal = signalOf(failure.thrown)
  if (signal?.kind === 'redirect') return answerRedirect(signal.location, 'replace')
  const envelope = (payload: Payload, sent: Sent): ActionAnswer =>
    sent.digest === null
      ? { kind: 'signal', status: sent.status as FallbackStatus, page: payload }
      : { kind: 'failed', digest: sent.digest, page: payload }
  const render = await renderPage({ ...page, envelope }, app, failure)
  if (render.decision.kind === 'redirect') {
    render.flight.abandon()
    return answerRedirect(render.decision.location, 'replace')
  }
  const { status, flight } = render
  return { status, headers: [...callHeaders, ...render.headers], body: flightBody(flight) }
}

function answerRedirect(location: string, type: 'push' | 'replace'): Promise<Answer> {
  return callAnswer({ kind: 'redirect', location, type }, 200)
}

async function answerFailed(digest: string): Promise<Answer> {
  const answer = await callAnswer({ kind: 'failed', digest }, 500)
  return { ...answer, headers: [...answer.headers, [digestHeader, digest]] }
}
