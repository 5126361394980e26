/** Options of `queued()`. */
export type QueuedOptions = {
  /** Name for `useOutbox({ name })`. A form's calls use the form's own `name`. */
  readonly name?: string
  /** Label for users in the list of waiting entries. */
  readonly label?: string
}

const marks = new WeakMap<object, QueuedOptions>()
let isOn = false

/**
 * Enables marks in apps that have an outbox. In other apps, a mark would be sent to the server as an
 * argument.
 */
export function acceptMarks(): void {
  isOn = true
}

/**
 * Wraps a server action for use in client components, so that its calls wait in the outbox until they
 * can be sent: `const save = queued(saveNote)`. A call that has to wait resolves to `undefined`.
 *
 * Pass a reference to a server action, bound or not. A browser function that calls a server action
 * isn't enough, because only direct calls to the returned function are queued.
 */
export function queued<Args extends unknown[], Result>(
  action: (...args: Args) => Promise<Result>,
  options: QueuedOptions = {},
): (...args: Args) => Promise<Result | undefined> {
  return (...args) => {
    if (!isOn) return action(...args)
    // The mark is an argument, because arguments also reach the action through bound references.
    const mark = {}
    marks.set(mark, options)
    return action(...([...args, mark] as unknown as Args))
  }
}

/** Removes the mark of `queued()` from a call. @returns `options`: `null` for a call without a mark */
export function withoutMark<Call extends { readonly args: readonly unknown[] }>(
  call: Call,
): { readonly call: Call; readonly options: QueuedOptions | null } {
  const last = call.args.at(-1)
  const options = typeof last === 'object' && last !== null ? marks.get(last) : undefined
  if (!options) return { call, options: null }
  return { call: { ...call, args: call.args.slice(0, -1) }, options }
}
