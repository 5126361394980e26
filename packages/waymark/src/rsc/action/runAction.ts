import type { InvalidInput } from '../../shared/actionResponse.ts'
import type { ActionSettings } from '../../shared/settings.ts'
import { type Signal, signalOf } from '../../shared/signals.ts'
import type { RequestScope, RunningAction } from '../request/scope.ts'
import type { ActionFunction } from './actionList.ts'
import { UndecryptableClosure } from './encryption.ts'
import type { OrderedSlot } from './order.ts'

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

// By identity: an app may return an object that looks like one.
const made = new WeakSet<object>()

/** Marks what an action found wrong with its input. */
export function markInvalidInput(invalid: InvalidInput): InvalidInput {
  made.add(invalid)
  return invalid
}

/** Tells whether an action's result says that its input was not what it asks for. */
export function isInvalidInput(value: unknown): value is InvalidInput {
  return typeof value === 'object' && value !== null && made.has(value)
}

/** What one action may cost. */
export type ActionLimits = {
  /** Largest body of a call or form. */
  readonly maxBytes: number
  /** How long it may run. */
  readonly timeoutMs: number
}

type OwnLimits = Partial<ActionLimits> & { readonly isOrdered?: boolean }

const own = new WeakMap<object, OwnLimits>()

/** Gives an action limits of its own. @param limits `isOrdered`: some of its calls wait for others */
export function setLimits(run: (...args: never[]) => unknown, limits: OwnLimits): void {
  own.set(run, limits)
}

/** What an action may cost: its own limits over those of the app. */
export function limitsOf(
  run: ActionFunction,
  settings: ActionSettings,
): ActionLimits & { readonly isOrdered: boolean } {
  const { maxBytes, timeoutMs } = settings
  return { maxBytes, timeoutMs, isOrdered: false, ...own.get(run) }
}
