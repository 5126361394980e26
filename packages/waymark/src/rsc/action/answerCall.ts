import type { HandlerResponse } from '../../shared/answer.ts'
import { timedOut } from '../../shared/deadline.ts'
import {
  callOrderHeader,
  idempotencyKeyHeader,
  idempotencyKeyPattern,
} from '../../shared/protocol.ts'
import type { PageRequest } from '../page/pageRequest.ts'
import { readBody } from '../request/readBody.ts'
import type { ActionApp } from './actionApp.ts'
import { type IsBackgroundOpen, type ResolvedAction, resolveAction } from './admit.ts'
import { bodyHash } from './bodyHash.ts'
import { isWithinDecodeLimits } from './budget.ts'
import { callFailureResponse, callOutcomeResponse } from './callOutcome.ts'
import { decodeArguments } from './decode.ts'
import { runGuards } from './guards.ts'
import { type OrderedSlot, parseCallPosition } from './order.ts'
import { formTypeOf, readFields } from './readFields.ts'
import { refuse } from './refusal.ts'
import { runAction } from './runAction.ts'
import { senderOf } from './sender.ts'
import { withCookies } from './withCookies.ts'

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
