import {
  type HandlerResponse,
  type HeaderLines,
  headerOf,
  type Responding,
} from '../../http/response.ts'
import type { FallbackStatus } from '../../http/statuses.ts'
import { withBasePath } from '../../shared/basePath.ts'
import { timedOut, withDeadline } from '../../shared/promises.ts'
import {
  type ActionResponse,
  type InvalidInput,
  type RefusalCode,
  refusalStatuses,
} from '../../wire/actionResponse.ts'
import type { Payload } from '../../wire/payload.ts'
import { digestHeader, refusalHeader } from '../../wire/protocol.ts'
import { signalOf } from '../../wire/signals.ts'
import { statusResponse } from '../errors/screenResponse.ts'
import { ends, flightBody, renderFlight, whenIdle } from '../page/flight.ts'
import type { PageApp, PageOutcome, PageRequest } from '../page/pageRequest.ts'
import { pageDataHeaders } from '../page/pageResponse.ts'
import type { PageFailure } from '../page/pageStatus.ts'
import { renderPage, respondWithPage } from '../page/renderPage.ts'
import { statusOfFailure } from '../request/clientFailures.ts'
import { formStateOf } from './decodeArguments.ts'

export type ActionOutcome =
  | ActionResult
  | { readonly kind: 'thrown'; readonly isGuard: boolean; readonly failure: PageFailure }
  | { readonly kind: 'refused'; readonly code: RefusalCode }

type ActionResult =
  | { readonly kind: 'returned'; readonly value: unknown }
  | { readonly kind: 'invalid'; readonly value: InvalidInput }

type Decided = Exclude<ActionOutcome, { kind: 'refused' }>

export function callResponse(
  outcome: Decided,
  page: PageRequest,
  app: PageApp,
): Promise<HandlerResponse> {
  if (outcome.kind === 'thrown') return callFailure(outcome, page, app)
  const { scope } = page
  const changesNothing = scope.invalidatedTags === null && scope.cookies.lines().length === 0
  return changesNothing ? resultAlone(outcome, page, app) : resultWithPage(outcome, page, app)
}

async function callFailure(
  { isGuard, failure }: Extract<Decided, { kind: 'thrown' }>,
  page: PageRequest,
  app: PageApp,
): Promise<HandlerResponse> {
  const signal = signalOf(failure.thrown)
  if (signal?.kind === 'redirect') {
    return callRedirect(withBasePath(signal.location), isGuard ? 'replace' : 'push', app)
  }
  if (signal || isGuard) return callScreen(failure, page, app)
  const digest = reportAction(failure.thrown, 500, page, app)
  if (statusOfFailure(failure.thrown, page) === 400) return callRefusal('malformed', app)
  const response = await flightResponse({ kind: 'failed', digest }, 500, app)
  return { ...response, headers: [...response.headers, [digestHeader, digest]] }
}

/** Refuses a call. @param maxBytes the limit that was exceeded, for `too-large` */
export async function callRefusal(
  code: RefusalCode,
  app: BuildId,
  maxBytes?: number,
): Promise<HandlerResponse> {
  const refusal: ActionResponse = { kind: 'refused', code }
  const content = maxBytes === undefined ? refusal : { ...refusal, maxBytes }
  const response = await flightResponse(content, refusalStatuses[code], app)
  return { ...response, headers: [...response.headers, [refusalHeader, code]] }
}

/**
 * Turns a redirect into data, because `fetch` would follow a redirect from proxy.ts and post the
 * action to the new URL.
 */
export function toCallResponse(response: HandlerResponse, app: BuildId): Responding {
  const { status, headers } = response
  const location = headerOf(headers, 'location')
  if (status < 300 || status >= 400 || location === null) return response
  const cookies = headers.filter(([name]) => name.toLowerCase() === 'set-cookie')
  return callRedirect(location, 'replace', app).then((redirect) => ({
    ...redirect,
    headers: [...redirect.headers, ...cookies],
  }))
}

type BuildId = Pick<PageApp, 'buildId'>

// One promise for all calls, because `await undefined` would create a new promise each time.
const microtask = Promise.resolve()

async function flightResponse(
  response: ActionResponse,
  status: number,
  app: BuildId,
  onError: (thrown: unknown) => string = () => '',
): Promise<HandlerResponse> {
  const flight = renderFlight(response, onError)
  // A synchronous result is complete after one microtask.
  await microtask
  if (!flight.channel.ended) await whenIdle(flight.channel)
  return { status, headers: pageDataHeaders(app.buildId), body: flightBody(flight) }
}

function callRedirect(location: string, type: 'push' | 'replace', app: BuildId) {
  return flightResponse({ kind: 'redirect', location, type }, 200, app)
}

const resultStatus = ({ kind }: ActionResult) => (kind === 'invalid' ? 422 : 200)

function resultAlone(
  result: ActionResult,
  page: PageRequest,
  app: PageApp,
): Promise<HandlerResponse> {
  const status = resultStatus(result)
  return flightResponse({ ...result }, status, app, (thrown) =>
    reportAction(thrown, status, page, app),
  )
}

async function resultWithPage(
  result: ActionResult,
  page: PageRequest,
  app: PageApp,
): Promise<HandlerResponse> {
  const status = resultStatus(result)
  // Write the result only after the page's status is decided, so that an error inside the result
  // doesn't count as the page's failure.
  let release = () => {}
  const decided = new Promise<void>((resolve) => {
    release = resolve
  })
  const value = decided.then(() => result.value)
  const envelope = (payload: Payload) => ({ ...result, value, page: payload })
  // The action may have changed any layout that the browser shows, so render all segments.
  const render = await renderPage({ ...page, mounted: new Set(), envelope }, app)
  if (render.decision.kind === 'redirect') {
    render.flight.abandon()
    const leaveFor = withBasePath(render.decision.location)
    return flightResponse({ ...result, leaveFor } as ActionResponse, status, app, render.onError)
  }
  release()
  await whenIdle(render.flight.channel)
  return { status, headers: pageDataHeaders(app.buildId), body: flightBody(render.flight) }
}

async function callScreen(
  failure: PageFailure,
  page: PageRequest,
  app: PageApp,
): Promise<HandlerResponse> {
  const envelope = (payload: Payload, outcome: PageOutcome): ActionResponse =>
    outcome.digest === null
      ? { kind: 'signal', status: outcome.status as FallbackStatus, page: payload }
      : { kind: 'failed', digest: outcome.digest, page: payload }
  const { decision, flight, ...response } = await renderPage({ ...page, envelope }, app, failure)
  if (decision.kind === 'redirect') {
    flight.abandon()
    return callRedirect(withBasePath(decision.location), 'replace', app)
  }
  const headers = [...pageDataHeaders(app.buildId), ...response.headers]
  return { status: response.status, headers, body: flightBody(flight) }
}

/**
 * Responds to a form that was submitted without JavaScript.
 * @param form `timeoutMs` is the maximum time to wait for the form's state
 */
export async function formResponse(
  outcome: Decided,
  form: PostedForm,
  page: PageRequest,
  app: PageApp,
): Promise<HandlerResponse> {
  if (outcome.kind !== 'thrown') return formResult(outcome, form, page, app)
  const { isGuard, failure } = outcome
  const signal = signalOf(failure.thrown)
  if (signal?.kind === 'redirect') {
    const headers: HeaderLines = [['location', withBasePath(signal.location)], ...noStore]
    // After a 307 or 308, the browser would post the form to the target and run the action twice.
    return { status: 303, headers, body: null }
  }
  // Report the error as the action's before the page's screen reports it, so that the screen reuses
  // the digest.
  if (!signal && !isGuard) reportAction(failure.thrown, 500, page, app)
  return afterPost(await respondWithPage(page, app, failure))
}

const noStore: HeaderLines = [['cache-control', 'no-store']]

type PostedForm = { readonly fields: FormData; readonly timeoutMs: number }

export async function formRefusal(
  code: RefusalCode,
  { request }: PageRequest,
  { theme, screens }: PageApp,
  limitBytes?: number,
): Promise<HandlerResponse> {
  const options = { request, theme: theme.config, screens, limitBytes }
  const response = statusResponse(refusalStatuses[code], options)
  return { ...response, headers: [...response.headers, [refusalHeader, code]] }
}

async function formResult(
  { kind, value }: ActionResult,
  { fields, timeoutMs }: PostedForm,
  page: PageRequest,
  app: PageApp,
): Promise<HandlerResponse> {
  const status = kind === 'invalid' ? 422 : page.status
  const state = await formStateOf(value, fields)
  if (state === null)
    return afterPost(await respondWithPage({ ...page, formState: null, status }, app))
  const { channel, abandon } = renderFlight(state, (thrown) =>
    reportAction(thrown, status, page, app),
  )
  // React can only match a complete state to its form, so wait for the end.
  if ((await withDeadline(ends(channel), timeoutMs)) === timedOut) {
    abandon()
    return formRefusal('timeout', page, app)
  }
  const formState = { value: state, channel }
  return afterPost(await respondWithPage({ ...page, formState, status }, app))
}

// Turns any redirect into a 303, after which the browser sends a GET instead of posting again. RFC
// 9110 §15.4.4
function afterPost(response: HandlerResponse): HandlerResponse {
  const isRedirect = response.status === 307 || response.status === 308
  return isRedirect ? { ...response, status: 303 } : response
}

function reportAction(
  thrown: unknown,
  responseStatus: number,
  page: PageRequest,
  app: PageApp,
): string {
  return app.report(thrown, { ...page, phase: 'action', responseStatus })
}
