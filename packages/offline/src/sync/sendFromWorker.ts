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

/** Browsers end a worker that takes longer than some minutes. */
const passMs = 120_000

export type WorkerOutbox = {
  readonly store: EntryStore
  readonly now: () => number
  readonly locks?: Pick<LockManager, 'query'>
  /** Has an open page send. @returns false where there is none */
  readonly wakePage: () => Promise<boolean>
  readonly fetchUser: (page: EntryPage) => Promise<FetchedUser | null>
  readonly send: (entry: Entry) => Promise<StoredResponse | null>
}

/** Runs while nobody else sends; gives up where a tab sends for too long. */
export function withLock(
  locks: Pick<LockManager, 'request'>,
  basePath: string,
  run: () => Promise<void>,
): Promise<void> {
  return locks.request(senderLockName(basePath), { signal: AbortSignal.timeout(passMs) }, run)
}

/**
 * Sends what waits for the user who is signed in, in the order of making, as long as no page is open.
 * Responses are stored for the next page, which reads them.
 * @throws where something is left that may succeed later: the browser then tries again
 */
export async function sendFromWorker(outbox: WorkerOutbox): Promise<void> {
  const { now, wakePage, fetchUser } = outbox
  const startedAtMs = now()
  let user: FetchedUser | null = null
  let userFetchedAtMs = 0
  for (;;) {
    const entries = await listUnsent(outbox)
    if (entries.length === 0) return
    // It may be closed before it has sent all.
    if (await wakePage()) throw new Error('An open page sends.')
    const entry = entries.find((each) => user === null || isOf(each, user))
    if (!entry) return
    const held = await heldLocks(outbox.locks)
    if (isAwaitedInOtherDocument(entry, held, now()))
      throw new Error('A page has just begun to send it.')
    if (now() - startedAtMs > passMs) throw new Error('The rest is for another time.')
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

/** True if an entry may be sent for the current user to the build that responds. Pages send the others. */
function isOf({ owner, build }: Entry, user: FetchedUser): boolean {
  return owner === user.owner && (build === null || build === user.build)
}

/** @returns `null` where it is gone, or not to be sent any more */
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
  if (!received) throw new Error('The site does not respond to a call.')
  return received
}
