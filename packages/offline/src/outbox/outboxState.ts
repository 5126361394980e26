import type { Entry, EntryField, OutboxProblem } from './entry.ts'

/** A call that waits in this browser, as the app sees it. */
export type OutboxEntry = {
  readonly key: string
  /** `name` of its form, or of `queued()`. */
  readonly name: string | null
  /** For people: what its form is called, or the text of the button. */
  readonly label: string
  /** What was entered, without passwords and hidden fields; files by their names. */
  readonly fields: readonly EntryField[]
  /** Milliseconds since the epoch. */
  readonly madeAtMs: number
  /** The page that it was made on. */
  readonly pathname: string
  readonly state: 'waiting' | 'sending' | 'needs-attention'
  readonly problem?: OutboxProblem
  /** Deletes it: it is not sent. One that is being sent may have run. */
  withdraw(): void
  /** Opens its page with its form filled in. It is deleted once that is sent. */
  edit(): void
  /** Sends it now. */
  retry(): void
}

export type EntryChange = 'withdraw' | 'edit' | 'retry'

type State = {
  entries: readonly OutboxEntry[]
  change: (id: number, how: EntryChange) => void
}

const state: State = { entries: [], change() {} }
const listeners = new Set<() => void>()

/** Shared by the code that sends and by the components: what is shown of the outbox. */
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
    // At each navigation: components are not rendered for it.
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
