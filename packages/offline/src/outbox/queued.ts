/** What `queued()` tells of its calls. */
export type QueuedOptions = {
  /** What `useOutbox({ name })` looks for; of a form, its own `name` is taken. */
  readonly name?: string
  /** For people, in the list of what waits. */
  readonly label?: string
}

const marks = new WeakMap<object, QueuedOptions>()
let isOn = false

/** Called where the app has an outbox: else a mark would be sent as an argument. */
export function acceptMarks(): void {
  isOn = true
}

/**
 * Makes calls of a server action wait until they can be sent: `const save = queued(saveNote)`, in
 * client components. The result is `undefined` for a call that is kept.
 *
 * Calls of the returned function are queued, not those that `action` makes in turn: it must be a
 * reference to a server action, bound or not, and no function of the browser around one.
 */
export function queued<Args extends unknown[], Result>(
  action: (...args: Args) => Promise<Result>,
  options: QueuedOptions = {},
): (...args: Args) => Promise<Result | undefined> {
  return (...args) => {
    if (!isOn) return action(...args)
    // An argument finds its way through bound references, which call later.
    const mark = {}
    marks.set(mark, options)
    return action(...([...args, mark] as unknown as Args))
  }
}

/** Takes the mark of `queued()` off a call. @returns `options` are `null` for one without it */
export function withoutMark<Call extends { readonly args: readonly unknown[] }>(
  call: Call,
): { readonly call: Call; readonly options: QueuedOptions | null } {
  const last = call.args.at(-1)
  const options = typeof last === 'object' && last !== null ? marks.get(last) : undefined
  if (!options) return { call, options: null }
  return { call: { ...call, args: call.args.slice(0, -1) }, options }
}
