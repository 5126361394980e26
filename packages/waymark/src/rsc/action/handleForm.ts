import type { RefusalCode } from '../../shared/actionResponse.ts'
import { idempotencyKeyField, idempotencyKeyPattern } from '../../shared/protocol.ts'
import type { HandlerResponse } from '../../shared/response.ts'
import type { PageRequest } from '../page/pageRequest.ts'
import { readBody } from '../request/readBody.ts'
import { bodyHash, bodyWithinMs, formTypeOf, readFields } from './actionBody.ts'
import type { ActionApp } from './actionList.ts'
import { resolveAction } from './authorize.ts'
import { decodeForm, formActionOf } from './decodeArguments.ts'
import { formRefusal, formResponse } from './responses.ts'
import { runGuarded } from './runAction.ts'

/** Handles a form that was sent by itself: without a script, or before it had taken over. */
export async function handleForm(page: PageRequest, app: ActionApp): Promise<HandlerResponse> {
  const refuse = (code: RefusalCode) => formRefusal(code, page, app)
  const { request } = page
  const contentType = request.headers.get('content-type') ?? ''
  if (formTypeOf(contentType) === null) return refuse('wrong-type')
  const { maxBytes } = app.actionSettings
  const body = await readBody(request, { maxBytes, withinMs: bodyWithinMs })
  if (body.kind !== 'body') return refuse(body.kind)
  const fields = await readFields(body.bytes, contentType)
  const named = fields && formActionOf(fields)
  if (fields === null || named === null) return refuse('malformed')
  // A form posts to a page itself; only the app's script shows one over another.
  const action = await resolveAction(named.id, page, app, () => false)
  if (action === null) return refuse('unknown')
  const { limits } = action
  if (body.bytes.byteLength > limits.maxBytes) return refuse('too-large')
  const key = fields.get(idempotencyKeyField)
  return runGuarded({
    action,
    page,
    app,
    key: typeof key === 'string' && idempotencyKeyPattern.test(key) ? key : null,
    // The browser may have cached the page, and its form may be filled in again.
    isPerBody: true,
    bodyHash: () => bodyHash(body.bytes, contentType),
    decode: () => decodeForm(named, fields),
    respond: (outcome) => formResponse(outcome, { fields, timeoutMs: limits.timeoutMs }, page, app),
  })
}
