import type { ActionSettings } from '../../shared/actionSettings.ts'
import type { ActionFunction } from './actionList.ts'

/** What one action may cost. */
export type ActionLimits = {
  /** Largest body of a call or form. */
  readonly maxBytes: number
  /** How long it may run. */
  readonly timeoutMs: number
}

const own = new WeakMap<object, Partial<ActionLimits>>()

/** Gives an action limits of its own. */
export function setLimits(run: (...args: never[]) => unknown, limits: Partial<ActionLimits>): void {
  own.set(run, limits)
}

/** What an action may cost: its own limits over those of the app. */
export function limitsOf(run: ActionFunction, settings: ActionSettings): ActionLimits {
  const { maxBytes, timeoutMs } = settings
  return { maxBytes, timeoutMs, ...own.get(run) }
}
