import { basePath } from 'waymark'
import type { ServerCall } from 'waymark/plugin/client'
import { createNoticeBoard } from 'waymark/plugin/client'
import {
  isOtherUser,
  listedOwner,
  lookForOwner,
  onOtherUser,
  onOwnerChange,
} from '../shared/owner.ts'
import { admitCall } from './admitCall.ts'
import { createContents, isOpen } from './contents.ts'
import { describeCall } from './describeCall.ts'
import { createEditing } from './editing.ts'
import { type Entry, randomKey, waiting } from './entry.ts'
import { createEntryStore } from './entryStore.ts'
import type { OutboxHost } from './host.ts'
import { inTime } from './inTime.ts'
import { storeMs } from './limits.ts'
import type { OutboxContext } from './outboxContext.ts'
import { createOutboxNotice } from './outboxNotice.ts'
import { type EntryChange, outboxState } from './outboxState.ts'
import { outboxLocale, outboxTexts } from './outboxTexts.ts'
import type { QueuedOptions } from './queued.ts'
import type { Waiter } from './replay.ts'
import { holdSenderLock } from './senderLock.ts'
import { sendWaiting } from './sendWaiting.ts'
import { createWakeups, listenForChances } from './wakeups.ts'

export type Outbox = {
  /**
   * Stores a call and sends it.
   * @returns its result, or the form's unchanged state if the call has to wait
   */
  run(call: ServerCall, options: QueuedOptions): Promise<unknown>
  /** Sends the waiting entries, if the functions that send calls have been set up. */
  wake(): void
  /** Shows the notice that a different user has signed in. */
  showOtherUser(): void
}

/** Creates the outbox of a document. */
export function createOutbox(host: OutboxHost): Outbox {
  const context = createContext(host)
  let adding: Promise<unknown> = Promise.resolve()
  return {
    wake: createWake(context),
    showOtherUser: context.notice.otherUser,
    run(call, options) {
      const description = describeCall(call, options)
      // Reading a call's files may take long, but calls must be stored in the order in which they
      // were made.
      const running = adding.then(() => admitCall(context, call, description))
      adding = running.catch(() => {})
      return running.then(({ result }) => result())
    },
  }
}

function createContext(host: OutboxHost): OutboxContext {
  const store = createEntryStore(basePath)
  const now = Date.now
  const waiters = new Map<number, Waiter>()
  const contents = createContents({
    store,
    now,
    owner: listedOwner,
    onOtherTab: () => void follow(context),
  })
  const notice = createOutboxNotice(createNoticeBoard(document, outboxLocale), (id) =>
    change(context, id, 'edit'),
  )
  const wakeups = createWakeups(() => sendWaiting(context))
  const editing = createEditing(window, host)
  outboxState.onChange((id, how) => change(context, id, how))
  const senderLock = holdSenderLock(navigator.locks, randomKey())
  const context = { host, store, now, senderLock, waiters, contents, notice, wakeups, editing }
  return context
}

/** Lists the entries and sends the waiting ones. */
async function check({ host, contents, wakeups, notice }: OutboxContext): Promise<void> {
  const entries = await contents.show()
  if (!entries.some(isOpen)) notice.nothingWaits()
  else if (host.router && host.actions) wakeups.restart()
  else host.startRouter()
}

/**
 * Updates this tab after a change in a different tab, which sends the waiting entries unless it is
 * closed.
 */
async function follow({ contents, wakeups, notice, waiters }: OutboxContext): Promise<void> {
  const entries = await contents.show()
  // An entry of this document may have been waiting for the other tab's entry, so send now.
  if (waiters.size > 0) wakeups.now()
  else if (entries.some(isOpen)) wakeups.later()
  else notice.nothingWaits()
}

function createWake(context: OutboxContext): () => void {
  const { host, contents, editing, notice } = context
  const chance = () => void check(context)
  const revive = () => contents.revive().then(chance, () => {})
  let isStarted = false
  let isFollowing = false
  return () => {
    if (host.router && !isFollowing) {
      isFollowing = true
      host.router.events.on('commit', ({ kind }) => {
        lookForOwner()
        if (kind === 'refresh') return
        editing.forget()
        chance()
      })
    }
    if (isStarted) return chance()
    isStarted = true
    onOwnerChange(() => void revive())
    onOtherUser(notice.otherUser)
    if (isOtherUser()) notice.otherUser()
    listenForChances(window, { onChance: chance, onStorage: lookForOwner })
    void revive()
    contents.show().then(editing.resume)
  }
}

/** Applies a change that the user asked for. */
function change(context: OutboxContext, id: number, how: EntryChange): void {
  tryToChange(context, id, how).catch(context.notice.storageFailed)
}

async function tryToChange(context: OutboxContext, id: number, how: EntryChange): Promise<void> {
  const { contents, store, wakeups, editing } = context
  const entries = await inTime(contents.list(), storeMs)
  const entry = entries.find((each) => each.id === id)
  if (!entry) return
  switch (how) {
    case 'withdraw':
      editing.forget(id)
      await store.remove(id)
      break
    case 'retry':
      editing.forget(id)
      await store.update(id, (now) => retried(now, context.now()))
      wakeups.restart()
      break
    case 'edit':
      await store.update(id, edited)
      await editing.open(entry)
  }
  await contents.changed()
}

/**
 * Makes an entry wait again. The user has decided to send it, so if it was too old, its age
 * restarts.
 */
function retried(entry: Entry, nowMs: number): Entry {
  const { state, madeAtMs } = entry
  const isTooOld = state.kind === 'needs-attention' && state.problem.kind === 'too-old'
  return { ...entry, madeAtMs: isTooOld ? nowMs : madeAtMs, state: waiting }
}

/** Marks an entry as being edited, so that it isn't sent in the meantime. */
function edited(entry: Entry): Entry {
  if (!isOpen(entry)) return entry
  const problem = { kind: 'edited', message: outboxTexts.edited } as const
  return { ...entry, state: { kind: 'needs-attention', problem } }
}
