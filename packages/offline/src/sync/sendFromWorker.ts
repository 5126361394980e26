import { isOpen } from '../outbox/contents.ts'
import {
  type Entry,
  type EntryPage,
  type StoredResponse,
  sending,
  waiting,
} from '../outbox/entry.ts'
import type { EntryStore } from '../outbox/entryStore.ts'
import { inTime } from '../outbox/inTime.ts'
import { leaseMs, maxAgeMs, recheckMs, storeMs } from '../outbox/limits.ts'
import { heldLocks, isAwaitedInOtherDocument } from '../outbox/senderLock.ts'
import { senderLockName } from '../shared/cacheNames.ts'
import type { FetchedUser } from './fetchUser.ts'

/** Time limit, because browsers stop a worker that runs for more than a few minutes. */
const passMs = 120_000

export type WorkerOutbox = {
  readonly store: EntryStore
  readonly now: () => number
  readonly locks?: Pick<LockManager, 'query'>
  /** Asks an open page to send. @returns false if no page is open */
  readonly wakePage: () => Promise<boolean>
  readonly fetchUser: (page: EntryPage) => Promise<FetchedUser | null>
  readonly send: (entry: Entry) => Promise<StoredResponse | null>
}

/** Runs `send` while no tab is sending. Gives up if a tab holds the lock for too long. */
export function withLock(
  locks: Pick<LockManager, 'request'>,
  basePath: string,
  run: () => Promise<void>,
): Promise<void> {
  return locks.request(senderLockName(basePath), { signal: AbortSignal.timeout(passMs) }, run)
}

/**
 * Sends the waiting entries of the signed-in user in order of creation, while no page is open. Responses
 * are stored, and the next page reads them.
 * @throws if something is left that may succeed later, so that the browser tries again
 */
export async function sendFromWorker(outbox: WorkerOutbox): Promise<void> {
  const { now, wakePage, fetchUser } = outbox
  const startedAtMs = now()
  let user: FetchedUser | null = null
  let userFetchedAtMs = 0
  for (;;) {
    const entries = await listUnsent(outbox)
    if (entries.length === 0) return
    // Throw even if a page is sending, so that the browser tries again in case the page gets closed.
    if (await wakePage()) throw new Error('An open page sends the waiting entries.')
    const entry = entries.find((each) => user === null || isOf(each, user))
    if (!entry) return
    const held = await heldLocks(outbox.locks)
    if (isAwaitedInOtherDocument(entry, held, now()))
      throw new Error('Another page is already sending this entry.')
    if (now() - startedAtMs > passMs)
      throw new Error('Sending took too long. The rest will be sent when the browser syncs again.')
    if (user === null || now() - userFetchedAtMs > recheckMs) {
      user = await fetchUser(entry.page)
      if (!user) return
      userFetchedAtMs = now()
      continue
    }
    const response = await sendOne(outbox, entry)
    if (response?.changed === 'session') user = null
  }
}

async function listUnsent({ store, now }: WorkerOutbox): Promise<readonly Entry[]> {
  const entries = await inTime(store.list(), storeMs)
  const isOld = ({ madeAtMs }: Entry) => now() - madeAtMs > maxAgeMs
  return entries.filter((entry) => isOpen(entry) && !entry.received && !isOld(entry))
}

/**
 * True if an entry belongs to the current user and to the build that responds. Pages send other
 * entries.
 */
function isOf({ owner, build }: Entry, user: FetchedUser): boolean {
  return owner === user.owner && (build === null || build === user.build)
}

/** @returns `null` if the entry is gone or must no longer be sent */
async function sendOne(
  { store, now, send }: WorkerOutbox,
  { id }: Entry,
): Promise<StoredResponse | null> {
  const begin = (entry: Entry) => (isOpen(entry) ? sending(entry, now() + leaseMs) : null)
  const entry = await inTime(store.update(id, begin), storeMs)
  if (!entry) return null
  const received = await send(entry).catch(() => null)
  const end = (entry: Entry): Entry | null => {
    if (!isOpen(entry)) return null
    const tries = received ? entry.tries : entry.tries + 1
    return { ...entry, tries, state: waiting, received }
  }
  await inTime(store.update(id, end), storeMs)
  if (!received) throw new Error('The site did not respond when the entry was sent.')
  return received
}
