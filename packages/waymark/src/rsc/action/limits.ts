import type { ActionSettings } from '../../shared/actionSettings.ts'
import type { ActionFunction } from './actionList.ts'

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
