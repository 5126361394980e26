import type { ActionResponse } from '../../shared/actionAnswer.ts'
import type { HandlerResponse } from '../../shared/answer.ts'
import type { Payload } from '../../shared/payload.ts'
import { digestHeader } from '../../shared/protocol.ts'
import { type FallbackStatus, signalOf } from '../../shared/signals.ts'
import { endsSoon, flightBody } from '../page/flight.ts'
import type { Failure } from '../page/gate.ts'
import type { PageRequest, Sent } from '../page/pageRequest.ts'
import { renderPage } from '../page/renderPage.ts'
import type { SlotPath } from '../page/segments.ts'
import type { ActionApp } from './actionApp.ts'
import { pageSlotOf } from './pagePlace.ts'
import { callHeaders, callResponse, refuse } from './refusal.ts'
import type { ActionOutcome } from './runAction.ts'

/** Answers a call with what its action came to. */
export function callOutcomeResponse(
  outcome: ActionOutcome,
  page: PageRequest,
  app: ActionApp,
): HandlerResponse | Promise<HandlerResponse> {
  switch (outcome.kind) {
    case 'returned':
    case 'invalid':
      return answerResult(outcome, page, app)
    case 'signal': {
      const { signal, thrown } = outcome
      if (signal.kind === 'redirect') return answerRedirect(signal.location, 'push')
      return callFailureResponse({ thrown, place: pageSlotOf(page.match.root) }, page, app)
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

function answerResult(result: Result, page: PageRequest, app: ActionApp): Promise<HandlerResponse> {
  const status = result.kind === 'invalid' ? 422 : 200
  const { scope } = page
  const onError = (thrown: unknown) =>
    app.report(thrown, { ...page, phase: 'action', answerStatus: status })
  const isChanged = scope.invalidatedTags !== null || scope.setCookies().length > 0
  return isChanged
    ? answerWithPage(result, status, page, app)
    : callResponse({ ...result }, status, onError)
}

/** The result together with the page, rendered after it. */
async function answerWithPage(
  result: Result,
  status: number,
  page: PageRequest,
  app: ActionApp,
): Promise<HandlerResponse> {
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
    return callResponse({ ...result, leaveFor } as ActionResponse, status, render.onError)
  }
  release()
  await endsSoon(render.flight.channel)
  return { status, headers: [...callHeaders], body: flightBody(render.flight) }
}

const nothingHeld: ReadonlySet<string> = new Set()

/** Answers a call with the screen for what failed, or with where it redirects. */
export async function callFailureResponse(
  failure: Failure<SlotPath | null>,
  page: PageRequest,
  app: ActionApp,
): Promise<HandlerResponse> {
  const signal = signalOf(failure.thrown)
  if (signal?.kind === 'redirect') return answerRedirect(signal.location, 'replace')
  const envelope = (payload: Payload, sent: Sent): ActionResponse =>
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

function answerRedirect(location: string, type: 'push' | 'replace'): Promise<HandlerResponse> {
  return callResponse({ kind: 'redirect', location, type }, 200)
}

async function answerFailed(digest: string): Promise<HandlerResponse> {
  const answer = await callResponse({ kind: 'failed', digest }, 500)
  return { ...answer, headers: [...answer.headers, [digestHeader, digest]] }
}
