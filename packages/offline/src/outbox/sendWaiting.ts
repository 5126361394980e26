import { currentOwner, lookForOwner } from '../shared/owner.ts'
import { isOpen } from './contents.ts'
import type { Entry } from './entry.ts'
import type { OutboxHost } from './host.ts'
import { inTime } from './inTime.ts'
import { storeMs } from './limits.ts'
import type { OutboxContext } from './outboxContext.ts'
import { type ReplayOptions, replay } from './replay.ts'
import { heldLocks, isAwaitedInOtherDocument } from './senderLock.ts'

/** Milliseconds for which a page counts as current after it was fetched. */
const currentMs = 1000
const renewMs = 10_000
/** Milliseconds to wait for the effects of components that name the user. */
const effectsMs = 50

/** Sends the waiting entries. @returns false if something is left */
export async function sendWaiting(context: OutboxContext): Promise<boolean> {
  const { host, contents, now, waiters, notice } = context
  const { router, actions } = host
  if (!router || !actions) return true
  lookForOwner()
  /** False while a different document is sending the entry. All later entries then wait, too. */
  async function isReady(entry: Entry): Promise<boolean> {
    if (waiters.has(entry.id) || entry.awaitedUntilMs <= now()) return true
    return !isAwaitedInOtherDocument(entry, await heldLocks(navigator.locks), now())
  }
  let entries: readonly Entry[] = []
  const options: ReplayOptions = {
    ...context,
    host: { ...host, router, actions },
    hasLocks: Boolean(navigator.locks),
    release: (id, isRefused) => release(context, id, isRefused),
    async next() {
      entries = await contents.list()
      const open = entries.filter(isOpen)
      const [first] = open
      // The result of an entry that the service worker has sent can be shown without a network, so
      // return such an entry first.
      const received = open.find((entry) => entry.received)
      if (received || !first) return received ?? null
      return (await isReady(first)) ? first : null
    },
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
  const isDone = (await replay(options)) && !entries.some(isOpen)
  if (isDone) notice.nothingWaits()
  return isDone
}

/** True if the page has just been fetched from the network, so that it names the current user. */
async function isPageCurrent(
  router: NonNullable<OutboxHost['router']>,
  now: () => number,
): Promise<boolean> {
  if (now() - router.current().fetchedAtMs < currentMs) return true
  const isRenewed = await inTime(router.renew(), renewMs).catch(() => false)
  await new Promise((resolve) => setTimeout(resolve, effectsMs))
  return isRenewed
}

/** Resolves an entry's call for its caller, but keeps the entry. */
export async function release(
  context: OutboxContext,
  id: number,
  isRefused = false,
): Promise<void> {
  const { waiters, notice, wakeups } = context
  const waiter = waiters.get(id)
  if (!waiter) return
  waiters.delete(id)
  // The entry itself is already stored, so ignore storage that fails or hangs.
  await inTime(free(context, id, isRefused), storeMs).catch(() => notice.queued(1, isRefused))
  waiter.resolve(waiter.unchanged)
  wakeups.later()
}

/** Shows the entry, and the notice that it is saved, unless the entry is gone. */
async function free(
  { store, contents, notice }: OutboxContext,
  id: number,
  isRefused: boolean,
): Promise<void> {
  const stored = await store.update(id, (entry) => ({ ...entry, awaitedUntilMs: 0 }))
  const entries = await contents.changed()
  if (stored) notice.queued(entries.filter(isOpen).length, isRefused)
}
