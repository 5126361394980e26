import type { ServerCall } from 'waymark/internal'
import { currentOwner, lookForOwner, onOwnerChange } from '../shared/owner.ts'
import { createContents, isOpen } from './contents.ts'
import { describeCall } from './describeCall.ts'
import { createEditing } from './editing.ts'
import {
  bytesOf,
  type CallDescription,
  type Entry,
  type NewEntry,
  randomKey,
  storedBody,
  waiting,
} from './entry.ts'
import { createEntryStore } from './entryStore.ts'
import type { OutboxHost } from './host.ts'
import { limitMs, maxEntryBytes } from './limits.ts'
import { createOutboxNotice } from './outboxNotice.ts'
import { type EntryChange, outboxState } from './outboxState.ts'
import type { QueuedOptions } from './queued.ts'
import { type ReplayOptions, replay, type Waiter } from './replay.ts'
import { outboxTexts } from './texts.ts'
import { createWakeups, listenForChances } from './wakeups.ts'

export type Outbox = {
  /** Keeps a call, and sends it. @returns its result; what its form takes for none once it waits */
  run(call: ServerCall, options: QueuedOptions): Promise<unknown>
  /** Sends what waits, if the core has given what sends. */
  wake(): void
}

/** Creates the outbox of a document. */
export function createOutbox(host: OutboxHost): Outbox {
  const context = createContext(host)
  let adding: Promise<unknown> = Promise.resolve()
  return {
    wake: createWake(context),
    run(call, options) {
      const description = describeCall(call, options)
      // What is made first is stored first, however long its files take to be read.
      const running = adding.then(() => admit(context, call, description))
      adding = running.catch(() => {})
      return running.then(({ result }) => result())
    },
  }
}

type Context = ReturnType<typeof createContext>

function createContext(host: OutboxHost) {
  const store = createEntryStore()
  const now = Date.now
  const waiters = new Map<number, Waiter>()
  const contents = createContents({
    ...{ store, now, owner: currentOwner },
    onOtherTab: () => void follow(context),
  })
  const notice = createOutboxNotice(document, (id) => void change(context, id, 'edit'))
  const wakeups = createWakeups(() => send(context))
  const editing = createEditing(window, host)
  outboxState.onChange((id, how) => void change(context, id, how))
  const context = {
    host,
    store,
    now,
    waiters,
    contents,
    notice,
    wakeups,
    editing,
    tab: randomKey(),
  }
  return context
}

/** How the caller of a call goes on: within the order of calls it is decided, and runs after. */
type Admitted = { readonly result: () => unknown }

async function admit(
  context: Context,
  call: ServerCall,
  description: CallDescription | null,
): Promise<Admitted> {
  const { host, contents, editing, store } = context
  const { actions } = host
  if (!actions) throw new Error('A call came before the core has given what sends it.')
  const asToday: Admitted = { result: () => actions.send(call) }
  if (!description) return asToday
  const entry = await newEntry(context, call, description)
  if (entry.bytes > maxEntryBytes) return notKept(context, call, 'tooLargeToKeep')
  const unchanged = await actions.unchanged(call)
  const id = await contents.add(entry)
  if (id === null) return asToday
  if (id === 'full') return notKept(context, call, 'full')
  // At the first one; a browser may ask its user.
  if (id === 1) void navigator.storage?.persist?.().catch(() => {})
  const replaced = editing.replacedBy(call, description)
  if (replaced !== null) await store.remove(replaced)
  const response = untilReleased(context, { id, call, unchanged: unchanged?.value })
  return { result: () => response }
}

async function newEntry(
  { host, now, tab }: Context,
  call: ServerCall,
  description: CallDescription,
): Promise<NewEntry> {
  const madeAtMs = now()
  const encoded = await host.actions?.encode(call)
  const body = storedBody(encoded?.body ?? '')
  const { route, from, beside = [] } = call.page
  return {
    ...{
      key: randomKey(),
      action: call.id,
      body,
      bytes: bytesOf(body),
      description,
      madeAtMs,
      tab,
    },
    page: { pathname: route.pathname, search: route.search, from, beside },
    build: host.router?.build ?? null,
    owner: currentOwner(),
    awaitedUntilMs: madeAtMs + limitMs + 500,
    tries: 0,
    state: waiting,
  }
}

/** Sends a call as without an outbox. Where no response comes, a word says that it is not kept. */
function notKept(
  { host, notice }: Context,
  call: ServerCall,
  reason: 'tooLargeToKeep' | 'full',
): Admitted {
  return {
    result() {
      let isThere = false
      let hide = () => {}
      const say = () => {
        if (!isThere) hide = notice.notKept(reason)
      }
      const onResponse = () => {
        isThere = true
        hide()
        return true
      }
      const word = setTimeout(say, navigator.onLine ? limitMs : 0)
      return host.actions?.send(call, { onResponse }).finally(() => {
        clearTimeout(word)
        say()
      })
    },
  }
}

/** Sends an entry while its caller waits, up to the limit. */
function untilReleased(
  context: Context,
  { id, ...waiter }: Pick<Waiter, 'call' | 'unchanged'> & { readonly id: number },
): Promise<unknown> {
  const { waiters, wakeups, contents } = context
  return new Promise((resolve, reject) => {
    const end = (give: (value: never) => void) => (value: unknown) => {
      clearTimeout(limit)
      waiters.delete(id)
      give(value as never)
    }
    const limit = setTimeout(() => void release(context, id), navigator.onLine ? limitMs : 0)
    waiters.set(id, { ...waiter, resolve: end(resolve), reject: end(reject) })
    wakeups.now()
    void contents.changed()
  })
}

/** The caller of an entry goes on; the entry stays. */
async function release(context: Context, id: number): Promise<void> {
  const { waiters, store, contents, notice, wakeups } = context
  const waiter = waiters.get(id)
  if (!waiter) return
  waiters.delete(id)
  const stored = await store
    .update(id, (entry) => ({ ...entry, awaitedUntilMs: 0 }))
    .catch(() => null)
  const entries = await contents.changed()
  if (stored) notice.kept(entries.filter(isOpen).length)
  waiter.resolve(waiter.unchanged)
  wakeups.later()
}

const currentMs = 5000
const renewMs = 10_000
/** For components that tell who is here. */
const effectsMs = 50

async function send(context: Context): Promise<boolean> {
  const { host, contents, now, waiters, notice } = context
  const { router, actions } = host
  if (!router || !actions) return true
  lookForOwner()
  const isReady = (entry: Entry) =>
    isOpen(entry) && (waiters.has(entry.id) || entry.awaitedUntilMs <= now())
  const options: ReplayOptions = {
    ...context,
    host: { ...host, router, actions },
    hasLocks: Boolean(navigator.locks),
    release: (id) => release(context, id),
    next: async () => (await contents.list()).find(isReady) ?? null,
    isPageCurrent: () => isPageCurrent(router, now),
    onSession: async ({ owner }) => {
      const after = currentOwner()
      const isNamed = [owner, after].some((each) => each?.startsWith('user '))
      if (!isNamed) await contents.move(owner, after)
    },
    async onSettled(entry, outcome) {
      await contents.changed()
      if (outcome.kind !== 'problem') return
      notice.problem({ ...entry, state: { kind: 'needs-attention', problem: outcome.problem } })
    },
  }
  await replay(options)
  const isDone = !(await contents.list()).some(isOpen)
  if (isDone) notice.nothingWaits()
  return isDone
}

/** A page that says who is here, and over the network: else what waits would fail, too. */
async function isPageCurrent(
  router: NonNullable<OutboxHost['router']>,
  now: () => number,
): Promise<boolean> {
  if (now() - router.current().fetchedAtMs < currentMs) return true
  const late = new Promise<boolean>((resolve) => setTimeout(resolve, renewMs, false))
  const isRenewed = await Promise.race([router.renew(), late])
  await new Promise((resolve) => setTimeout(resolve, effectsMs))
  return isRenewed
}

/** Looks what is there, and sends what waits. */
async function check({ host, contents, wakeups, notice }: Context): Promise<void> {
  const entries = await contents.show()
  if (!entries.some(isOpen)) notice.nothingWaits()
  else if (host.router && host.actions) wakeups.soon()
  else host.startRouter()
}

/** Another tab has changed something: it sends what waits, unless it is closed. */
async function follow({ contents, wakeups, notice }: Context): Promise<void> {
  const entries = await contents.show()
  if (entries.some(isOpen)) wakeups.later()
  else notice.nothingWaits()
}

function createWake(context: Context): () => void {
  const { host, contents, editing } = context
  const chance = () => void check(context)
  const revive = () => contents.revive().then(chance, () => {})
  let isStarted = false
  let isFollowing = false
  return () => {
    if (host.router && !isFollowing) {
      isFollowing = true
      host.router.events.on('commit', ({ kind }) => {
        lookForOwner()
        if (kind !== 'refresh') chance()
      })
    }
    if (isStarted) return chance()
    isStarted = true
    onOwnerChange(() => void revive())
    listenForChances(window, { onChance: chance, onStorage: lookForOwner })
    void revive()
    contents.show().then(editing.resume)
  }
}

async function change(context: Context, id: number, how: EntryChange): Promise<void> {
  const { contents, store, wakeups, editing } = context
  const entry = (await contents.list()).find((each) => each.id === id)
  if (!entry) return
  switch (how) {
    case 'withdraw':
      await store.remove(id)
      break
    case 'retry':
      await store.update(id, (now) => ({ ...now, state: waiting }))
      wakeups.soon()
      break
    case 'edit':
      await store.update(id, edited)
      await editing.open(entry)
  }
  await contents.changed()
}

/** While somebody edits it, it is not sent. */
function edited(entry: Entry): Entry {
  if (!isOpen(entry)) return entry
  const problem = { kind: 'edited', message: outboxTexts.edited } as const
  return { ...entry, state: { kind: 'needs-attention', problem } }
}
