import type { InvalidInput } from '../../shared/actionAnswer.ts'
import { type Signal, signalOf } from '../../shared/signals.ts'
import type { RequestScope, RunningAction } from '../request/scope.ts'
import { isInvalidInput } from './invalidInput.ts'
import type { OrderedSlot } from './order.ts'
import { UndecryptableClosure } from './staleValue.ts'

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
  /** Of the request, in which the caller runs. */
  readonly scope: RequestScope
  readonly timeoutMs: number
  /** Its place, where it has an order. */
  readonly arrival: OrderedSlot | null
}

/**
 * Runs an action until it has an outcome, or its time is over: its `AbortSignal` then aborts, and
 * what it still does is no longer waited for. That the client leaves ends nothing: it may ask
 * again for the answer.
 */
export function runAction({ run, scope, timeoutMs, arrival }: ActionRun): Promise<ActionOutcome> {
  const { running, abort } = createRunning(arrival)
  scope.phase = 'action'
  scope.action = running
  return new Promise((resolve) => {
    const end = (outcome: ActionOutcome) => {
      clearTimeout(deadline)
      // What ends late finds the answer on its way.
      if (scope.phase === 'action') scope.phase = 'render'
      resolve(outcome)
    }
    const fail = (thrown: unknown) => end(outcomeOf(thrown))
    const deadline = setTimeout(() => {
      abort()
      end({ kind: 'refused', code: 'timeout' })
    }, timeoutMs)
    try {
      Promise.resolve(run()).then((value) => end(returned(value)), fail)
    } catch (thrown) {
      fail(thrown)
    }
  })
}

/** What the action can ask for. Few ask for the signal, and making one costs as much as decoding. */
function createRunning(arrival: OrderedSlot | null): { running: RunningAction; abort: () => void } {
  let controller: AbortController | null = null
  let reason: DOMException | null = null
  const signal = () => {
    controller ??= new AbortController()
    if (reason) controller.abort(reason)
    return controller.signal
  }
  const abort = () => {
    reason = new DOMException('The action took too long.', 'TimeoutError')
    controller?.abort(reason)
  }
  const inTurn: RunningAction['inTurn'] =
    arrival && ((key, runOnTurn) => arrival.inTurn(key, runOnTurn, signal()))
  return { running: { signal, inTurn }, abort }
}

function returned(value: unknown): ActionOutcome {
  return isInvalidInput(value) ? { kind: 'invalid', value } : { kind: 'returned', value }
}

function outcomeOf(thrown: unknown): ActionOutcome {
  const signal = signalOf(thrown)
  if (signal) return { kind: 'signal', signal, thrown }
  if (thrown instanceof UndecryptableClosure) return { kind: 'refused', code: 'stale' }
  return { kind: 'failed', thrown }
}
