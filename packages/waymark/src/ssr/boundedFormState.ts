import type { ReactFormState } from 'react-dom/client'

/** The form state, as encoded in the payload. */
export type FormState = readonly [value: unknown, key: string, action: string, boundArgs: number]

/**
 * Maximum number of times that React may read the action. It reads the action once for each form
 * that it renders, and again for each form that has suspended.
 */
const maxReads = 1_000

/**
 * Stops an endless loop in React's renderer. React waits for a bound action's arguments, then
 * renders the component again, which binds the action once more, and so on. After 1,000 reads, the
 * state no longer matches any form, so the form is rendered as if it were new. Actions that are
 * bound outside of the component with `useActionState` aren't affected.
 * @see docs/upstream/react-bound-form-state/report.md
 */
export function withBoundedReads(state: FormState): ReactFormState {
  let reads = 0
  const get = () => (++reads > maxReads ? null : state[2])
  return Object.defineProperty([...state], 2, { get }) as unknown as ReactFormState
}
