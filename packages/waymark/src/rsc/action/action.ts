import type { ActionSettings } from '../../shared/actionSettings.ts'
import type { ActionFunction } from './actionList.ts'

/** What one action may cost. */
export type ActionLimits = { readonly maxBytes: number; readonly timeoutMs: number }

const own = new WeakMap<ActionFunction, Partial<ActionLimits>>()

/** What an action may cost: its own limits over those of the app. */
export function limitsOf(run: ActionFunction, settings: ActionSettings): ActionLimits {
  const { maxBytes, timeoutMs } = settings
  return { maxBytes, timeoutMs, ...own.get(run) }
}
