export { OfflineUser } from './components/OfflineUser.tsx'

import './outbox/jsx.ts'

export { type Conflict, conflict } from './outbox/conflict.ts'
export type { EntryErrors, EntryField, OutboxProblem } from './outbox/entry.ts'
export { Outbox } from './outbox/Outbox.tsx'
export type { OutboxEntry } from './outbox/outboxState.ts'
export { type QueuedOptions, queued } from './outbox/queued.ts'
export type { OutboxTexts } from './outbox/texts.ts'
export { useOutbox } from './outbox/useOutbox.ts'
