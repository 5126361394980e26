import type { InvalidInput, RefusalCode } from '../../shared/actionResponse.ts'
import { timedOut, withDeadline } from '../../shared/promises.ts'
import type { HandlerResponse } from '../../shared/response.ts'
import { type Signal, signalOf } from '../../shared/signals.ts'
import type { PageRequest } from '../page/pageRequest.ts'
import type { SlotPath } from '../page/segments.ts'
import type { Failure } from '../page/statusGate.ts'
import { type RequestScope, responseHeaders } from '../request/scope.ts'
import { isInvalidInput } from './action.ts'
import type { ActionApp } from './actionList.ts'
import { type ResolvedAction, runGuards } from './authorize.ts'
import { senderOf } from './credentials.ts'
import type { Decoded } from './decodeArguments.ts'
import { UndecryptableClosure } from './encryption.ts'

/** How a request for an action ended. */
export type ActionOutcome =
  | { readonly kind: 'returned'; readonly value: unknown }
  | { readonly kind: 'invalid'; readonly value: InvalidInput }
  | { readonly kind: 'signal'; readonly signal: Signal; readonly thrown: unknown }
  | { readonly kind: 'failed'; readonly thrown: unknown }
  /** A guard threw: the action did not run. */
  | { readonly kind: 'guarded'; readonly failure: Failure<SlotPath | null> }
  /** It did not run, or not to its end. */
  | { readonly kind: 'refused'; readonly code: RefusalCode }

/** A request for an action: found, read, and not decoded yet. */
export type GuardedRun = {
  readonly action: ResolvedAction
  readonly page: PageRequest
  readonly app: ActionApp
  /** Idempotency key; `null`: it runs as often as it is sent. */
  readonly key: string | null
  /** Whether another body with the same key is another request, and no mistake. */
  readonly isPerBody: boolean
  readonly bodyHash: () => string
  readonly decode: () => Promise<Decoded<unknown[]>>
  readonly respond: (outcome: ActionOutcome) => Promise<HandlerResponse>
}

/** What calls and forms have in common: guards ▸ decoding ▸ idempotency ▸ the action ▸ response. */
export async function runGuarded(given: GuardedRun): Promise<HandlerResponse> {
  const { action, page, app, key, isPerBody, bodyHash, decode, respond } = given
  const { scope } = page
  const { timeoutMs } = action.limits
  const refuse = (code: RefusalCode) => respond({ kind: 'refused', code })
  const failure = await runGuards(action.guards, { page, app, withinMs: timeoutMs })
  if (failure === timedOut) return refuse('timeout')
  if (failure) return respond({ kind: 'guarded', failure })
  const decoded = await decode()
  if (decoded.kind !== 'decoded') return refuse(decoded.kind)
  // The function that was resolved runs, and not what React would find by the fields of a form.
  const run = async () => action.run(...decoded.value)
  const runAndRespond = async () => respond(await runAction(run, scope, timeoutMs))
  if (key === null) return runAndRespond()
  const request = { key, actionId: action.id, bodyHash: bodyHash(), isPerBody, timeoutMs }
  const response = await app.idempotency.once({ ...request, sender: senderOf(page) }, async () => {
    const { headers, ...response } = await runAndRespond()
    // Whoever gets it again gets its cookies again.
    return { ...response, headers: [...headers, ...responseHeaders(scope)] }
  })
  return typeof response === 'string' ? refuse(response) : response
}

/**
 * Runs an action until it has an outcome, or its time is over: its `AbortSignal` then aborts, and
 * nothing waits for it any more. A client that leaves ends nothing: it may ask again for the
 * response.
 */
async function runAction(
  run: () => Promise<unknown>,
  scope: RequestScope,
  timeoutMs: number,
): Promise<ActionOutcome> {
  const timeLimit = new AbortController()
  scope.phase = 'action'
  scope.action = { signal: () => timeLimit.signal }
  try {
    const value = await withDeadline(run(), timeoutMs)
    if (value === timedOut) {
      timeLimit.abort(new DOMException('The action took too long.', 'TimeoutError'))
      return { kind: 'refused', code: 'timeout' }
    }
    return isInvalidInput(value) ? { kind: 'invalid', value } : { kind: 'returned', value }
  } catch (thrown) {
    const signal = signalOf(thrown)
    if (signal) return { kind: 'signal', signal, thrown }
    if (thrown instanceof UndecryptableClosure) return { kind: 'refused', code: 'stale' }
    return { kind: 'failed', thrown }
  } finally {
    scope.phase = 'render'
  }
}
