import type { ReactFormState } from 'react-dom/client'

/** The form state as the payload has it. */
export type FormState = readonly [value: unknown, key: string, action: string, boundArgs: number]

/** React reads the action once for each form that it renders, and once more whenever one has waited. */
const maxReads = 1_000

/**
 * Ends an endless render. React waits for the arguments of a bound action, and renders the component
 * again, which binds once more. After 1,000 reads the state belongs to no form, and the form is shown as
 * new. An action that is bound outside of the component with `useActionState` keeps its arguments.
 * @see docs/upstream/react-bound-form-state/report.md
 */
export function withBoundedReads(state: FormState): ReactFormState {
  let reads = 0
  const get = () => (++reads > maxReads ? null : state[2])
  return Object.defineProperty([...state], 2, { get }) as unknown as ReactFormState
}
