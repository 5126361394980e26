import { isThenable, timedOut, withDeadline } from '../shared/promises.ts'
import type { CacheDriver, Lease } from './cacheDriver.ts'

// Many times the duration of a working network or disk.
export const storeWithinMs = 3_000

// A late store is skipped for this long, or each request would wait for it.
export const pauseMs = 10_000

/**
 * Adds deadlines to a driver: a store that hangs counts as empty, but writes still go to it.
 * @param log called once per pause
 */
export function withStoreDeadlines(
  driver: CacheDriver,
  log: (line: string) => void,
  now: () => number = Date.now,
): CacheDriver {
  const { isPaused, within } = createWaits(log, now)
  let isProbing = false

  function written(running: void | Promise<void>): void | Promise<void> {
    return isThenable(running) ? within(running, undefined) : running
  }

  /** Finds out whether the store works again, by reading one key at a time. */
  async function probe(key: string): Promise<void> {
    if (isProbing) return
    isProbing = true
    try {
      await within(Promise.resolve(driver.get(key)), null)
    } catch {
      // The driver has logged the failure.
    } finally {
      isProbing = false
    }
  }

  async function lease(...call: Parameters<CacheDriver['lease']>): Promise<Lease> {
    if (isPaused()) return ownLease
    const leasing = driver.lease(...call)
    const leased = await within<Lease | null>(leasing, null)
    if (leased === null) {
      releaseLate(leasing)
      return ownLease
    }
    if (leased.kind !== 'ours') return leased
    return {
      kind: 'ours',
      complete: (result) => within(leased.complete(result), undefined),
      release: () => within(leased.release(), undefined),
      ...(leased.withdraw && {
        withdraw: () => within(leased.withdraw?.() ?? Promise.resolve(), undefined),
      }),
    }
  }

  return {
    get(key) {
      if (isPaused()) {
        void probe(key)
        return null
      }
      const reading = driver.get(key)
      return isThenable(reading) ? within(reading, null) : reading
    },
    set: (key, entry) => written(driver.set(key, entry)),
    delete: (key) => written(driver.delete(key)),
    invalidate: (tags, mode) => written(driver.invalidate(tags, mode)),
    position: () => driver.position(),
    ...(driver.freshnessByTags && { freshnessByTags: driver.freshnessByTags.bind(driver) }),
    onInvalidated: (listener) => driver.onInvalidated(listener),
    ...(driver.isBehind && { isBehind: driver.isBehind.bind(driver) }),
    ...(driver.catchUp && {
      catchUp: () => within(driver.catchUp?.() ?? Promise.resolve(), undefined),
    }),
    lease,
    close: () => driver.close(),
  }
}

function createWaits(log: (line: string) => void, now: () => number) {
  let pausedUntilMs = 0
  const isPaused = () => now() < pausedUntilMs

  async function within<T>(running: PromiseLike<T>, fallback: T): Promise<T> {
    const result = await withDeadline(running, storeWithinMs)
    if (result !== timedOut) {
      pausedUntilMs = 0
      return result
    }
    if (!isPaused()) log(lateLine)
    pausedUntilMs = now() + pauseMs
    return fallback
  }

  return { isPaused, within }
}

const lateLine = `The cache's driver did not answer within ${storeWithinMs / 1000} s. This process goes on with its own memory, and tries it again in ${pauseMs / 1000} s.`

/** Known to this process only. */
const ownLease: Lease = { kind: 'ours', complete: async () => {}, release: async () => {} }

/** Nobody waits for the lease any more, and other processes would wait for its owner. */
function releaseLate(leasing: Promise<Lease>): void {
  leasing
    .then((lease) => (lease.kind === 'ours' ? lease.release() : undefined))
    .catch(() => {
      // The driver logs its own failure.
    })
}
