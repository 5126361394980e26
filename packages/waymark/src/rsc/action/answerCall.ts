import type { Answer } from '../../shared/answer.ts'
import { submissionHeader, submissionPattern, turnHeader } from '../../shared/protocol.ts'
import type { PageRequest } from '../page/pageRequest.ts'
import type { ActionApp } from './actionApp.ts'
import { type AdmittedAction, admitAction } from './admit.ts'
import { bodyHash } from './bodyHash.ts'
import { isAffordable } from './budget.ts'
import { answerCallFailure, answerCallOutcome } from './callOutcome.ts'
import { decodeArguments } from './decode.ts'
import { runGuards } from './guards.ts'
import { type Arrival, parseTurn } from './order.ts'
import { readBody } from './readBody.ts'
import { formTypeOf, readFields } from './readFields.ts'
import { refuse } from './refusal.ts'
import { runAction } from './runAction.ts'
import { withCookies } from './withCookies.ts'

/** How long a client may take to send a body. */
export const bodyWithinMs = 30_000

/** Answers a call of an action by the app's own script. */
export async function answerCall(id: string, page: PageRequest, app: ActionApp): Promise<Answer> {
  const admitted = await admitAction(id, page, app)
  if (admitted === null) return refuse('unknown', 'call', page, app)
  if (!admitted.limits.isOrdered) return answerAdmitted({ id, ...admitted }, null, page, app)
  const turn = parseTurn(page.request.headers.get(turnHeader))
  const arrival = app.order.arrive(id, turn)
  try {
    return await answerAdmitted({ id, ...admitted }, arrival, page, app)
  } finally {
    arrival.leave()
  }
}

async function answerAdmitted(
  { id, run, limits, standing }: AdmittedAction & { readonly id: string },
  arrival: Arrival | null,
  page: PageRequest,
  app: ActionApp,
): Promise<Answer> {
  const { request, scope } = page
  const contentType = request.headers.get('content-type') ?? ''
  if (!isCallType(contentType)) return refuse('wrong-type', 'call', page, app)
  const { maxBytes, timeoutMs } = limits
  const body = await readBody(request, { maxBytes, withinMs: bodyWithinMs })
  if (body.kind !== 'body') return refuse(body.kind, 'call', page, app)
  const reply = await readReply(body.bytes, contentType)
  if (reply === null) return refuse('malformed', 'call', page, app)
  const failure = await runGuards(standing, page, app)
  if (failure) return answerCallFailure(failure, page, app)
  const decoded = await decodeArguments(reply, app.actions)
  if (decoded.kind !== 'decoded') return refuse(decoded.kind, 'call', page, app)
  const answer = async () => {
    const outcome = await runAction({ run: () => run(...decoded.value), scope, timeoutMs, arrival })
    return answerCallOutcome(outcome, page, app)
  }
  const key = request.headers.get(submissionHeader)
  if (key === null) return answer()
  if (!submissionPattern.test(key)) return refuse('malformed', 'call', page, app)
  const hash = bodyHash(body.bytes, contentType)
  const submission = { key, actionId: id, bodyHash: hash, isPerBody: false }
  const given = await app.submissions.once(submission, () => withCookies(answer, scope))
  return typeof given === 'string' ? refuse(given, 'call', page, app) : given
}

function isCallType(contentType: string): boolean {
  return /^text\/plain\s*(?:;|$)/i.test(contentType) || formTypeOf(contentType) === 'multipart'
}

/** @returns `null` for what is no reply, or costs too much to decode */
async function readReply(
  bytes: Uint8Array<ArrayBuffer>,
  contentType: string,
): Promise<string | FormData | null> {
  if (formTypeOf(contentType) === null) {
    const text = textOf(bytes)
    return text !== null && isAffordable(text) ? text : null
  }
  const fields = await readFields(bytes, contentType)
  return fields && isAffordableReply(fields) ? fields : null
}

function isAffordableReply(fields: FormData): boolean {
  const parts = [...fields]
  // Those that begin so are the fields of a FormData among the arguments: the app's own texts.
  return parts.every(
    ([name, value]) =>
      name.length <= 1_000 &&
      (typeof value !== 'string' || name.startsWith('_') || isAffordable(value, parts.length)),
  )
}

function textOf(bytes: Uint8Array<ArrayBuffer>): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}
