import type { Entry, EntryField, OutboxProblem } from './entry.ts'

/** A call that waits in this browser, as the app sees it. */
export type OutboxEntry = {
  readonly key: string
  /** `name` of the form, or of the options of `queued()`. */
  readonly name: string | null
  /** Label for users: the form's name or its button's text. */
  readonly label: string
  /** Entered values, without passwords and hidden fields. A file is represented by its name. */
  readonly fields: readonly EntryField[]
  /** Time at which the entry was created, in milliseconds since the epoch. */
  readonly madeAtMs: number
  /** Path of the page on which the entry was created. */
  readonly pathname: string
  /** `needs-attention` if the user has to decide; `problem` is then set. */
  readonly state: 'waiting' | 'sending' | 'needs-attention'
  readonly problem?: OutboxProblem
  /**
   * Deletes the entry without sending it. If it is already being sent, the action may still run.
   */
  withdraw(): void
  /** Opens the entry's page with the form filled in. Sending the form deletes the entry. */
  edit(): void
  /** Sends the entry now. */
  retry(): void
}

export type EntryChange = 'withdraw' | 'edit' | 'retry'

type State = {
  entries: readonly OutboxEntry[]
  change: (id: number, how: EntryChange) => void
}

const state: State = { entries: [], change() {} }
const listeners = new Set<() => void>()

/** The entries that components show. Components and the code that sends share this state. */
export const outboxState = {
  get: (): readonly OutboxEntry[] => state.entries,
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  onChange(change: State['change']): void {
    state.change = change
  },
  show(entries: readonly Entry[]): void {
    // `show` runs on each navigation, so avoid renders while there are no entries.
    if (entries.length === 0 && state.entries.length === 0) return
    state.entries = entries.map(toPublic)
    for (const listener of listeners) listener()
  },
}

function toPublic({ id, description, page, madeAtMs, state: entryState }: Entry): OutboxEntry {
  const { name, label, fields } = description
  return {
    key: String(id),
    name,
    label,
    fields,
    madeAtMs,
    pathname: page.pathname,
    state: entryState.kind,
    ...(entryState.kind === 'needs-attention' ? { problem: entryState.problem } : {}),
    withdraw: () => state.change(id, 'withdraw'),
    edit: () => state.change(id, 'edit'),
    retry: () => state.change(id, 'retry'),
  }
}
