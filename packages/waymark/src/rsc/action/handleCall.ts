import type { ActionResponse } from '../../shared/actionResponse.ts'
import type { Payload } from '../../shared/payload.ts'
import { timedOut } from '../../shared/promises.ts'
import {
  callOrderHeader,
  digestHeader,
  idempotencyKeyHeader,
  idempotencyKeyPattern,
} from '../../shared/protocol.ts'
import type { HandlerResponse } from '../../shared/response.ts'
import { type FallbackStatus, signalOf } from '../../shared/signals.ts'
import { endsSoon, flightBody } from '../page/flight.ts'
import type { PageRequest, Sent } from '../page/pageRequest.ts'
import { renderPage } from '../page/renderPage.ts'
import type { SlotPath } from '../page/segments.ts'
import type { Failure } from '../page/statusGate.ts'
import { readBody } from '../request/readBody.ts'
import { bodyHash, formTypeOf, isWithinDecodeLimits, readFields } from './actionBody.ts'
import type { ActionApp } from './actionList.ts'
import {
  type IsBackgroundOpen,
  pageSlotOf,
  type ResolvedAction,
  resolveAction,
  runGuards,
} from './authorize.ts'
import { senderOf } from './credentials.ts'
import { decodeArguments } from './decodeArguments.ts'
import { type OrderedSlot, parseCallPosition } from './order.ts'
import { callHeaders, callResponse, refuse, withCookies } from './responses.ts'
import { type ActionOutcome, runAction } from './runAction.ts'

/** How long a client may take to send a body. */
export const bodyWithinMs = 30_000

/** Answers a call of an action by the app's own script. */
export function handleCall(
  id: string,
  page: PageRequest,
  app: ActionApp,
  isBackgroundOpen: IsBackgroundOpen,
): HandlerResponse | Promise<HandlerResponse> {
  const admitted = resolveAction(id, page, app, isBackgroundOpen)
  const call = { id, page, app }
  if (admitted instanceof Promise) return admitted.then((action) => answerAdmitted(action, call))
  return answerAdmitted(admitted, call)
}

type Call = { readonly id: string; readonly page: PageRequest; readonly app: ActionApp }

function answerAdmitted(
  action: ResolvedAction | null,
  call: Call,
): HandlerResponse | Promise<HandlerResponse> {
  if (action === null) return refuse('unknown', 'call', call.page, call.app)
  if (!action.limits.isOrdered) return runCall(action, null, call)
  const turn = parseCallPosition(call.page.request.headers.get(callOrderHeader))
  const arrival = call.app.order.arrive(call.id, turn)
  return runCall(action, arrival, call).finally(arrival.leave)
}

// What is there already is not waited for: each `await` costs a microsecond, and most calls need
// three, for their body, their action and React.
async function runCall(
  { run, limits, standing }: ResolvedAction,
  arrival: OrderedSlot | null,
  { id, page, app }: Call,
): Promise<HandlerResponse> {
  const { request, scope } = page
  const contentType = request.headers.get('content-type') ?? ''
  const isText = textType.test(contentType)
  if (!isText && formTypeOf(contentType) !== 'multipart') {
    return refuse('wrong-type', 'call', page, app)
  }
  const { maxBytes, timeoutMs } = limits
  const body = await readBody(request, { maxBytes, withinMs: bodyWithinMs })
  if (body.kind !== 'body') return refuse(body.kind, 'call', page, app)
  const reply = isText ? readText(body.bytes) : await readParts(body.bytes, contentType)
  if (reply === null) return refuse('malformed', 'call', page, app)
  const guarded = runGuards(standing, { page, app, withinMs: timeoutMs })
  const failure = guarded instanceof Promise ? await guarded : guarded
  if (failure === timedOut) return refuse('timeout', 'call', page, app)
  if (failure) return callFailureResponse(failure, page, app)
  const decoding = decodeArguments(reply)
  const decoded = decoding instanceof Promise ? await decoding : decoding
  if (decoded.kind !== 'decoded') return refuse(decoded.kind, 'call', page, app)
  const running = { run: () => run(...decoded.value), scope, timeoutMs, arrival }
  const key = request.headers.get(idempotencyKeyHeader)
  if (key === null) return await callOutcomeResponse(await runAction(running), page, app)
  if (!idempotencyKeyPattern.test(key)) return refuse('malformed', 'call', page, app)
  const answer = async () => callOutcomeResponse(await runAction(running), page, app)
  const hash = bodyHash(body.bytes, contentType)
  const sender = senderOf(page)
  const submission = { key, actionId: id, bodyHash: hash, isPerBody: false, timeoutMs, sender }
  const given = await app.submissions.once(submission, () => withCookies(answer, scope))
  return typeof given === 'string' ? refuse(given, 'call', page, app) : given
}

const textType = /^text\/plain\s*(?:;|$)/i

/** @returns `null` for what is no reply, or costs too much to decode */
function readText(bytes: Uint8Array<ArrayBuffer>): string | null {
  const text = textOf(bytes)
  return text !== null && isWithinDecodeLimits(text) ? text : null
}

async function readParts(
  bytes: Uint8Array<ArrayBuffer>,
  contentType: string,
): Promise<FormData | null> {
  const fields = await readFields(bytes, contentType)
  return fields && isAffordableReply(fields) ? fields : null
}

function isAffordableReply(fields: FormData): boolean {
  const parts = [...fields]
  // Those that begin so are the fields of a FormData among the arguments: the app's own texts.
  return parts.every(
    ([name, value]) =>
      name.length <= 1_000 &&
      (typeof value !== 'string' ||
        name.startsWith('_') ||
        isWithinDecodeLimits(value, parts.length)),
  )
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

function textOf(bytes: Uint8Array<ArrayBuffer>): string | null {
  try {
    return utf8.decode(bytes)
  } catch {
    return null
  }
}

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
  const isChanged = scope.invalidatedTags !== null || scope.cookies.lines().length > 0
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
