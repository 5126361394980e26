import type { InvalidInput } from '../../shared/actionAnswer.ts'

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
