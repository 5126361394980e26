import type { RefusalCode } from '../../shared/actionResponse.ts'
import { idempotencyKeyHeader, idempotencyKeyPattern } from '../../shared/protocol.ts'
import type { HandlerResponse } from '../../shared/response.ts'
import type { PageRequest } from '../page/pageRequest.ts'
import { readBody } from '../request/readBody.ts'
import { bodyHash, bodyWithinMs, readReply, replyTypeOf } from './actionBody.ts'
import type { ActionApp } from './actionList.ts'
import { type IsBackgroundOpen, resolveAction } from './authorize.ts'
import { decodeArguments } from './decodeArguments.ts'
import { callRefusal, callResponse } from './responses.ts'
import { runGuarded } from './runAction.ts'

/** Handles a call of an action by the app's own script. */
export async function handleCall(
  id: string,
  page: PageRequest,
  app: ActionApp,
  isBackgroundOpen: IsBackgroundOpen,
): Promise<HandlerResponse> {
  const refuse = (code: RefusalCode) => callRefusal(code, app)
  const { request } = page
  const action = await resolveAction(id, page, app, isBackgroundOpen)
  if (action === null) return refuse('unknown')
  const contentType = request.headers.get('content-type') ?? ''
  const type = replyTypeOf(contentType)
  if (type === null) return refuse('wrong-type')
  const { maxBytes } = action.limits
  const body = await readBody(request, { maxBytes, withinMs: bodyWithinMs })
  if (body.kind !== 'body') return refuse(body.kind)
  const reply = await readReply(body.bytes, type, contentType)
  const key = request.headers.get(idempotencyKeyHeader)
  if (reply === null) return refuse('malformed')
  if (key !== null && !idempotencyKeyPattern.test(key)) return refuse('malformed')
  return runGuarded({
    action,
    page,
    app,
    key,
    isPerBody: false,
    bodyHash: () => bodyHash(body.bytes, contentType),
    decode: () => decodeArguments(reply),
    respond: (outcome) => callResponse(outcome, page, app),
  })
}
