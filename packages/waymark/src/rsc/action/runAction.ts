import type { InvalidInput } from '../../shared/actionAnswer.ts'
import { type Signal, signalOf } from '../../shared/signals.ts'
import { type RequestScope, type RunningAction, runInScope } from '../request/scope.ts'
import { isInvalidInput } from './invalidInput.ts'
import type { Arrival } from './order.ts'
import { StaleValue } from './staleValue.ts'

/** What an action came to. */
export type ActionOutcome =
  | { readonly kind: 'returned'; readonly value: unknown }
  | { readonly kind: 'invalid'; readonly value: InvalidInput }
  | { readonly kind: 'signal'; readonly signal: Signal; readonly thrown: unknown }
  | { readonly kind: 'failed'; readonly thrown: unknown }
  | { readonly kind: 'refused'; readonly code: 'stale' | 'timeout' }

/** An action with its arguments. */
export type ActionRun = {
  readonly run: () => unknown
  readonly scope: RequestScope
  readonly timeoutMs: number
  /** Its place, where it has an order. */
  readonly arrival: Arrival | null
}

/**
 * Runs an action until it has an outcome, or its time is over: its `AbortSignal` then aborts, and
 * what it still does is no longer waited for. That the client leaves ends nothing: it may ask
 * again for the answer.
 */
export async function runAction(action: ActionRun): Promise<ActionOutcome> {
  const { run, scope, timeoutMs, arrival } = action
  const controller = new AbortController()
  const { signal } = controller
  scope.phase = 'action'
  const inTurn: RunningAction['inTurn'] =
    arrival && ((key, runOnTurn) => arrival.inTurn(key, runOnTurn, signal))
  scope.action = { signal, inTurn }
  const late = createLateness(controller, timeoutMs)
  try {
    // Async, so that what it throws at once is an outcome, too.
    const running = (async () => await runInScope(scope, run))()
    return await Promise.race([running.then(returned, thrownOutcome), late.outcome])
  } finally {
    late.stop()
    scope.phase = 'render'
  }
}

function createLateness(controller: AbortController, timeoutMs: number) {
  let timer: NodeJS.Timeout | undefined
  const outcome = new Promise<ActionOutcome>((resolve) => {
    timer = setTimeout(() => {
      controller.abort(new DOMException('The action took too long.', 'TimeoutError'))
      resolve({ kind: 'refused', code: 'timeout' })
    }, timeoutMs)
  })
  return { outcome, stop: () => clearTimeout(timer) }
}

function returned(value: unknown): ActionOutcome {
  return isInvalidInput(value) ? { kind: 'invalid', value } : { kind: 'returned', value }
}

function thrownOutcome(thrown: unknown): ActionOutcome {
  const signal = signalOf(thrown)
  if (signal) return { kind: 'signal', signal, thrown }
  if (thrown instanceof StaleValue) return { kind: 'refused', code: 'stale' }
  return { kind: 'failed', thrown }
}
