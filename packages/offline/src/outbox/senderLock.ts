import { inTime } from './inTime.ts'

/**
 * Milliseconds for lock requests. Browsers usually answer at once, and one that hangs must not stop
 * the queue.
 */
const queryMs = 1000

/**
 * Holds a Web Lock until this document is closed. Other tabs and the service worker thereby know if
 * the document that sends an entry still exists.
 * @returns the lock's name; `null` if the browser has no locks or blocks storage for this page
 */
export function holdSenderLock(locks: LockManager | undefined, id: string): string | null {
  if (!locks) return null
  const name = `waymark-outbox-sender ${id}`
  // The browser releases the lock when the document is closed, so never resolve this promise.
  locks.request(name, () => new Promise(() => {})).catch(() => {})
  return name
}

/** Returns the names of the sender locks that documents hold now; `null` if unknown. */
export async function heldLocks(
  locks: Pick<LockManager, 'query'> | undefined,
): Promise<ReadonlySet<string> | null> {
  if (!locks) return null
  try {
    const { held = [] } = await inTime(locks.query(), queryMs)
    return new Set(held.map(({ name = '' }) => name))
  } catch {
    return null
  }
}

type Awaited = { readonly awaitedUntilMs: number; readonly senderLock?: string | null }

/** True if code in a different open document may still await the response to an entry. */
export function isAwaitedInOtherDocument(
  { awaitedUntilMs, senderLock }: Awaited,
  held: ReadonlySet<string> | null,
  nowMs: number,
): boolean {
  if (awaitedUntilMs <= nowMs) return false
  return !held || !senderLock || held.has(senderLock)
}
