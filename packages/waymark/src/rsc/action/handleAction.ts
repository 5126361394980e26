import { hash } from 'node:crypto'
import type {
  HandlerResponse,
  HeaderLines,
  RequestHeaders,
  ServerRequest,
} from '../../http/response.ts'
import { idempotencyKeyField, userField } from '../../react/actionFields.ts'
import { timedOut, withDeadline } from '../../shared/promises.ts'
import type { RefusalCode } from '../../wire/actionResponse.ts'
import {
  actionHeader,
  changedHeader,
  idempotencyKeyHeader,
  idempotencyKeyPattern,
  queuedHeader,
  userHeader,
} from '../../wire/protocol.ts'
import { trace } from '../../wire/trace.ts'
import { methodResponse } from '../errors/screenResponse.ts'
import type { PageRequest } from '../page/pageRequest.ts'
import { crossOriginReason } from '../request/crossOrigin.ts'
import { readBody } from '../request/readBody.ts'
import type { PageTarget } from '../request/readRequest.ts'
import { responseHeaders } from '../request/scope.ts'
import { observed } from '../request/serverObserver.ts'
import { isInvalidInput, isRefusedBySchema } from './action.ts'
import {
  type BodyType,
  bodyHash,
  bodyWithinMs,
  parseBodyType,
  readFields,
  readReply,
} from './actionBody.ts'
import {
  type ActionApp,
  limitsOfForms,
  pageSlotOf,
  type ResolvedAction,
  resolveAction,
  runGuards,
} from './authorize.ts'
import { senderOf } from './credentials.ts'
import { decodeArguments, decodeForm, formActionOf } from './decodeArguments.ts'
import { UndecryptableClosure } from './encryption.ts'
import { createFilePartFilter } from './filePartFilter.ts'
import type { Idempotency } from './idempotency.ts'
import {
  type ActionOutcome,
  callRefusal,
  callResponse,
  formRefusal,
  formResponse,
} from './responses.ts'

/**
 * Runs the checks, cheapest first, then the action. Synchronous results aren't awaited;
 * docs/decisions/rendering-cost.md has the reason.
 */
export async function handleAction(
  posted: ActionRequest,
  page: PageRequest,
  app: ActionApp,
): Promise<HandlerResponse> {
  const { headers } = page.request
  const isCall = posted.kind === 'call'
  let { maxBytes } = app.actionSettings
  const refuse = async (code: RefusalCode) => {
    tell(isCall ? posted.id : 'form', code)
    const limit = code === 'too-large' ? maxBytes : undefined
    if (isCall) return callRefusal(code, app, limit)
    // Without a route, no page can have sent the form, so respond with a 404.
    return page.status === 404
      ? methodResponse(page.request, app)
      : formRefusal(code, page, app, limit)
  }
  // Use the client's headers, because proxy.ts may have replaced them.
  const sent = { headers: page.scope.context.sentHeaders, origin: page.request.origin }
  const foreign = crossOriginReason(sent, app.actionSettings.allowedOrigins)
  if (foreign !== null) {
    app.logForeign(foreign, { kind: 'action', pathname: page.pathname })
    return refuse('foreign-origin')
  }
  if (isCall && app.users) {
    const isQueued = headers.get(queuedHeader) === '1'
    const refusal = await app.users.refusalOf(headers.get(userHeader), isQueued)
    if (refusal) return refuse(refusal)
  }
  const resolving = isCall ? resolveAction(posted.id, page, app) : null
  const called = resolving instanceof Promise ? await resolving : resolving
  if (isCall && called === null) return refuse('unknown')
  const type = parseBodyType(headers.get('content-type'))
  if (type === null || type.kind === (isCall ? 'urlencoded' : 'text')) return refuse('wrong-type')
  let files = called?.limits.files
  if (called) maxBytes = called.limits.maxBytes
  else if (Number(headers.get('content-length')) > maxBytes && page.status !== 404) {
    const limits = await limitsOfForms(page, app)
    maxBytes = limits.maxBytes
    files = limits.files
  }
  const filter = files && type.boundary ? createFilePartFilter(type.boundary, files) : null
  const body = await readBody(page.request, { maxBytes, withinMs: bodyWithinMs, filter })
  if (body.kind !== 'body') return refuse(body.kind)
  const received: ReceivedBody = { bytes: body.bytes, type }
  const reading = called ? readCall(called, received, headers) : readForm(received, page, app)
  const read = reading instanceof Promise ? await reading : reading
  if (typeof read === 'string') return refuse(read)
  if (read.fields && body.bytes.byteLength > read.action.limits.maxBytes) {
    maxBytes = read.action.limits.maxBytes
    return refuse('too-large')
  }
  const { action, fields } = read
  const { timeoutMs } = action.limits
  const respond = (outcome: ActionOutcome) => {
    if (outcome.kind === 'refused') return refuse(outcome.code)
    tell(action.id, outcome.kind)
    return fields
      ? formResponse(outcome, { fields, timeoutMs }, page, app)
      : callResponse(outcome, page, app)
  }
  const deciding = runGuards(action.guards, { page, app, withinMs: timeoutMs })
  const failure = deciding instanceof Promise ? await deciding : deciding
  if (failure === timedOut) return refuse('timeout')
  if (failure) return respond({ kind: 'thrown', isGuard: true, failure })
  const decoding = read.decode()
  const args = decoding instanceof Promise ? await decoding : decoding
  if (args === null) return refuse('malformed')
  page.scope.action = { id: action.id, args, key: null }
  // Run the resolved function, because React might look up a different one from the form's fields.
  const { observer } = page.scope.context
  const call = () =>
    observed(observer, { kind: 'action', id: action.id }, () => action.run(...args))
  const run = () => runAction(call, page, timeoutMs)
  if (read.key === null) return await respond(await run())
  const response = await runOnce(read.key, read, page, app, async (onRan) => {
    const outcome = await run()
    if (hasRun(outcome)) await onRan()
    return respond(outcome)
  })
  return typeof response === 'string' ? refuse(response) : response
}

/** False if the bound values were unreadable or the schema refused the input, because then the action didn't run. */
function hasRun(outcome: ActionOutcome): boolean {
  if (outcome.kind === 'refused') return outcome.code !== 'stale'
  return outcome.kind !== 'invalid' || !isRefusedBySchema(outcome.value)
}

type ReceivedBody = { readonly bytes: Uint8Array<ArrayBuffer>; readonly type: BodyType }

type ReadAction = {
  readonly action: ResolvedAction
  /** Idempotency key. Without one, each repeat runs the action again. */
  readonly key: string | null
  readonly hashBody: () => string
  readonly decode: () => unknown[] | null | Promise<unknown[] | null>
  /** Fields of a form that was submitted without JavaScript; `null` for a call. */
  readonly fields: FormData | null
}

type Reading = ReadAction | RefusalCode

function readCall(
  action: ResolvedAction,
  { bytes, type }: ReceivedBody,
  headers: RequestHeaders,
): Reading | Promise<Reading> {
  const key = headers.get(idempotencyKeyHeader)
  const isKey = key === null || idempotencyKeyPattern.test(key)
  const read = (reply: string | FormData | null): Reading =>
    reply === null || !isKey
      ? 'malformed'
      : {
          action,
          key,
          hashBody: () => bodyHash(bytes, type),
          decode: () => decodeArguments(reply),
          fields: null,
        }
  const reading = readReply(bytes, type)
  return reading instanceof Promise ? reading.then(read) : read(reading)
}

async function readForm(
  { bytes, type }: ReceivedBody,
  page: PageRequest,
  app: ActionApp,
): Promise<Reading> {
  const fields = await readFields(bytes, type)
  const named = fields && formActionOf(fields)
  if (fields === null || named === null) return 'malformed'
  const user = fields.get(userField)
  const refusal = typeof user === 'string' ? await app.users?.refusalOf(user, false) : null
  if (refusal) return refusal
  const action = await resolveAction(named.id, page, app)
  if (action === null) return 'unknown'
  const key = fields.get(idempotencyKeyField)
  return {
    action,
    key: typeof key === 'string' && idempotencyKeyPattern.test(key) ? key : null,
    hashBody: () => bodyHash(bytes, type),
    decode: () => decodeForm(named, fields),
    fields,
  }
}

/**
 * Runs an action once. A repeat gets the first response, or a refusal if its sender may not see
 * that response.
 */
function runOnce(
  sentKey: string,
  { action, hashBody, fields }: ReadAction,
  page: PageRequest,
  { idempotency }: ActionApp,
  run: Parameters<Idempotency['once']>[1],
): ReturnType<Idempotency['once']> {
  const { scope, request } = page
  const bodyHash = hashBody()
  // The same key with different fields is a new submission, because browsers may show a cached page
  // with an old key. So make the fields part of the key.
  const key = fields === null ? sentKey : hash('sha256', `${sentKey}\n${bodyHash}`, 'base64url')
  if (scope.action) scope.action.key = key
  const sent = {
    key,
    actionId: action.id,
    bodyHash,
    isQueued: request.headers.get(queuedHeader) === '1',
    timeoutMs: action.limits.timeoutMs,
    sender: senderOf(page),
    waitUntil: scope.context.after.waitUntil,
  }
  return idempotency.once(sent, async (onRan) => {
    const { headers, ...response } = await run(onRan)
    const changed: HeaderLines = scope.invalidatedTags ? [[changedHeader, 'data']] : []
    // Store the cookies, too, so that the response to a repeat sets them again.
    return { ...response, headers: [...headers, ...changed, ...responseHeaders(scope)] }
  })
}

/**
 * Runs an action. It isn't aborted when the client leaves, because the client may repeat the
 * request.
 */
async function runAction(
  run: () => unknown,
  { scope, match }: PageRequest,
  timeoutMs: number,
): Promise<ActionOutcome> {
  const timeLimit = new AbortController()
  scope.phase = 'action'
  // Pass the controller instead of its signal, because creating the signal takes as long as
  // decoding a small call.
  scope.actionTimeLimit = timeLimit
  try {
    const value = await withDeadline(Promise.resolve(run()), timeoutMs)
    if (value === timedOut) {
      timeLimit.abort(new DOMException('The action took too long.', 'TimeoutError'))
      return { kind: 'refused', code: 'timeout' }
    }
    return isInvalidInput(value) ? { kind: 'invalid', value } : { kind: 'returned', value }
  } catch (thrown) {
    if (thrown instanceof UndecryptableClosure) return { kind: 'refused', code: 'stale' }
    const failure = { thrown, place: pageSlotOf(match.root) }
    return { kind: 'thrown', isGuard: false, failure }
  } finally {
    scope.phase = 'render'
  }
}

export type ActionRequest =
  | { readonly kind: 'call'; readonly id: string }
  | { readonly kind: 'form' }

export function readActionRequest(
  { method, headers }: ServerRequest,
  { kind }: PageTarget,
): ActionRequest | null {
  if (method !== 'POST' || kind !== 'document') return null
  const id = headers.get(actionHeader)
  return id === null ? { kind: 'form' } : { kind: 'call', id }
}

function tell(id: string, outcome: string): void {
  if (import.meta.env.DEV) trace({ type: 'action', id, outcome })
}
