import type { Contents } from './contents.ts'
import type { createEditing } from './editing.ts'
import type { EntryStore } from './entryStore.ts'
import type { OutboxHost } from './host.ts'
import type { createOutboxNotice } from './outboxNotice.ts'
import type { Waiter } from './replay.ts'
import type { createWakeups } from './wakeups.ts'

/** The outbox of a document. */
export type OutboxContext = {
  readonly host: OutboxHost
  readonly store: EntryStore
  readonly now: () => number
  /** Web Lock of this document; `null` if the browser has no Web Locks. */
  readonly senderLock: string | null
  /** Callers in this document that await a response, by entry id. */
  readonly waiters: Map<number, Waiter>
  readonly contents: Contents
  readonly notice: ReturnType<typeof createOutboxNotice>
  readonly wakeups: ReturnType<typeof createWakeups>
  readonly editing: ReturnType<typeof createEditing>
}
