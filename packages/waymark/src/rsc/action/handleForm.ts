import type { ReactFormState } from 'react-dom/client'
import type { RefusalCode } from '../../shared/actionResponse.ts'
import { timedOut, withDeadline } from '../../shared/promises.ts'
import { idempotencyKeyField, idempotencyKeyPattern } from '../../shared/protocol.ts'
import type { HandlerResponse } from '../../shared/response.ts'
import { signalOf } from '../../shared/signals.ts'
import { answerPage } from '../page/answerPage.ts'
import { ends, renderFlight } from '../page/flight.ts'
import type { PageRequest } from '../page/pageRequest.ts'
import type { SlotPath } from '../page/segments.ts'
import type { Failure } from '../page/statusGate.ts'
import { readBody } from '../request/readBody.ts'
import { bodyHash, formTypeOf, readFields } from './actionBody.ts'
import type { ActionApp } from './actionList.ts'
import { pageSlotOf, resolveAction, runGuards } from './authorize.ts'
import { senderOf } from './credentials.ts'
import { decodeForm, formActionOf, readFormState } from './decodeArguments.ts'
import { bodyWithinMs } from './handleCall.ts'
import { refuse, withCookies } from './responses.ts'
import { type ActionOutcome, runAction } from './runAction.ts'

/** Answers a form that was sent by itself: without a script, or before it had taken over. */
export async function handleForm(page: PageRequest, app: ActionApp): Promise<HandlerResponse> {
  const { request, scope } = page
  const refused = (code: RefusalCode) => refuse(code, 'form', page, app)
  const contentType = request.headers.get('content-type')
  if (contentType === null || formTypeOf(contentType) === null) return refused('wrong-type')
  const { maxBytes } = app.actionSettings
  const body = await readBody(request, { maxBytes, withinMs: bodyWithinMs })
  if (body.kind !== 'body') return refused(body.kind)
  const fields = await readFields(body.bytes, contentType)
  const named = fields && formActionOf(fields)
  if (fields === null || named === null) return refused('malformed')
  const { id } = named
  const admitted = await resolveAction(id, page, app, noBackground)
  if (admitted === null) return refused('unknown')
  const { run, limits, standing } = admitted
  const { timeoutMs, isOrdered } = limits
  if (body.bytes.byteLength > limits.maxBytes) return refused('too-large')
  const failure = await runGuards(standing, { page, app, withinMs: timeoutMs })
  if (failure === timedOut) return refused('timeout')
  if (failure) return answerFailure(failure, page, app)
  const decoded = await decodeForm(named, fields)
  if (decoded.kind !== 'decoded') return refused(decoded.kind)
  const arrival = isOrdered ? app.order.arrive(id, null) : null
  const answer = async () => {
    // What was admitted, and not what React would find by the fields.
    const running = { run: () => run(...decoded.value), scope, timeoutMs, arrival }
    const outcome = await runAction(running)
    return outcome.kind === 'refused'
      ? refused(outcome.code)
      : answerOutcome(outcome, { fields, timeoutMs }, page, app)
  }
  const key = fields.get(idempotencyKeyField)
  if (typeof key !== 'string' || !idempotencyKeyPattern.test(key)) return answer()
  // The page may have been kept by the browser, and its form filled in anew.
  const hash = bodyHash(body.bytes, contentType)
  const sender = senderOf(page)
  const submission = { key, actionId: id, bodyHash: hash, isPerBody: true, timeoutMs, sender }
  const given = await app.submissions.once(submission, () => withCookies(answer, scope))
  return typeof given === 'string' ? refused(given) : given
}

// A form posts to a page itself; only the app's script shows one over another.
const noBackground = () => false

async function answerOutcome(
  outcome: Exclude<ActionOutcome, { kind: 'refused' }>,
  { fields, timeoutMs }: { readonly fields: FormData; readonly timeoutMs: number },
  page: PageRequest,
  app: ActionApp,
): Promise<HandlerResponse> {
  switch (outcome.kind) {
    case 'returned':
    case 'invalid': {
      const status = outcome.kind === 'invalid' ? 422 : page.status
      const state = await readFormState(outcome.value, fields)
      const formState = state && writeFormState(state, { ...page, status }, app)
      // React wants it before it renders: all of it, or it would match no form.
      if (formState && (await withDeadline(ends(formState.channel), timeoutMs)) === timedOut) {
        formState.abandon()
        return refuse('timeout', 'form', page, app)
      }
      return afterPost(await answerPage({ ...page, formState, status }, app))
    }
    case 'failed':
      // Reported here, the screen that is rendered for it finds the digest of this report.
      app.report(outcome.thrown, { ...page, phase: 'action', answerStatus: 500 })
      return answerFailure(failureOf(outcome.thrown, page), page, app)
    case 'signal':
      return answerFailure(failureOf(outcome.thrown, page), page, app)
  }
}

function writeFormState(value: ReactFormState, page: PageRequest, app: ActionApp) {
  const { channel, abandon } = renderFlight(value, (thrown) =>
    app.report(thrown, { ...page, phase: 'action', answerStatus: page.status }),
  )
  return { value, channel, abandon }
}

async function answerFailure(
  failure: Failure<SlotPath | null>,
  page: PageRequest,
  app: ActionApp,
): Promise<HandlerResponse> {
  const signal = signalOf(failure.thrown)
  if (signal?.kind === 'redirect') return seeOther(signal.location)
  return afterPost(await answerPage(page, app, failure))
}

function failureOf(thrown: unknown, { match }: PageRequest): Failure<SlotPath | null> {
  return { thrown, place: pageSlotOf(match.root) }
}

function seeOther(location: string): HandlerResponse {
  return {
    status: 303,
    headers: [
      ['location', location],
      ['cache-control', 'no-store'],
    ],
    body: null,
  }
}

// RFC 9110 §15.4.4: whatever the redirect said, what follows a form is a page to be read.
function afterPost(answer: HandlerResponse): HandlerResponse {
  const isRedirect = answer.status === 307 || answer.status === 308
  return isRedirect ? { ...answer, status: 303 } : answer
}
