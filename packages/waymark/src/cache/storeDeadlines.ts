import { isThenable, timedOut, withDeadline } from '../shared/promises.ts'
import type { CacheDriver, Lease } from './cacheDriver.ts'

// Many times the duration of a working network or disk.
export const storeWithinMs = 3_000

// A late store is skipped for this long, or each request would wait for it.
export const pauseMs = 10_000

/**
 * Adds deadlines to a driver and catches its errors. A store that hangs or fails counts as empty; writes
 * are still sent to it.
 * @param log called once per pause
 */
export function withStoreDeadlines(
  driver: CacheDriver,
  log: (line: string) => void,
  now: () => number = Date.now,
): CacheDriver {
  const { isPaused, within, guarded } = createWaits(log, now)
  let isProbing = false

  /** Calls a method that returns its result or a promise of it. */
  function call<T>(method: () => T | Promise<T>, fallback: T): T | Promise<T> {
    const result = guarded(method, fallback)
    // The result may be a thenable without `catch`, such as a query builder.
    return isThenable(result) ? within(result as PromiseLike<T>, fallback) : result
  }

  /** Finds out whether the store works again, by reading one key at a time. */
  async function probe(key: string): Promise<void> {
    if (isProbing) return
    isProbing = true
    await call(() => driver.get(key), null)
    isProbing = false
  }

  async function lease(...args: Parameters<CacheDriver['lease']>): Promise<Lease> {
    if (isPaused()) return localLease
    const leasing = guarded<Promise<Lease | null>>(() => driver.lease(...args), noLease)
    const leased = await within(leasing, null)
    if (leased === null) {
      releaseAbandoned(leasing)
      return localLease
    }
    if (leased.kind !== 'ours') return leased
    return {
      kind: 'ours',
      complete: async (result) => call(() => leased.complete(result), undefined),
      release: async () => call(() => leased.release(), undefined),
      ...(leased.withdraw && {
        withdraw: async () => call(() => leased.withdraw?.(), undefined),
      }),
    }
  }

  const { freshnessByTags, isBehind, catchUp } = driver
  return {
    get(key) {
      if (!isPaused()) return call(() => driver.get(key), null)
      void probe(key)
      return null
    },
    set: (key, entry) => call(() => driver.set(key, entry), undefined),
    delete: (key) => call(() => driver.delete(key), undefined),
    invalidate: (tags, mode) => call(() => driver.invalidate(tags, mode), undefined),
    // Entries of position 0 are older than every invalidation.
    position: () => guarded(() => driver.position(), 0),
    ...(freshnessByTags && {
      freshnessByTags: (entry) => guarded(() => freshnessByTags.call(driver, entry), 'expired'),
    }),
    // An error rises: a process that hears of no invalidation must not start.
    onInvalidated: (listener) => driver.onInvalidated(listener),
    // Requests then wait for `catchUp()`, so that nothing outdated is sent.
    ...(isBehind && { isBehind: () => guarded(() => isBehind.call(driver), true) }),
    ...(catchUp && {
      catchUp: async () => (isPaused() ? undefined : call(() => catchUp.call(driver), undefined)),
    }),
    lease,
    close: async () => call(() => driver.close(), undefined),
  }
}

const noLease = Promise.resolve(null)

function createWaits(log: (line: string) => void, now: () => number) {
  let pausedUntilMs = 0
  let quietUntilMs = 0
  const isPaused = () => now() < pausedUntilMs

  function logFailure(thrown: unknown): void {
    if (now() < quietUntilMs) return
    quietUntilMs = now() + pauseMs
    const reason = thrown instanceof Error ? thrown.message : String(thrown)
    log(`The cache's driver failed: ${reason}. This process uses its own memory for this request.`)
  }

  async function within<T>(running: PromiseLike<T>, fallback: T): Promise<T> {
    try {
      const result = await withDeadline(running, storeWithinMs)
      if (result !== timedOut) {
        pausedUntilMs = 0
        return result
      }
    } catch (thrown) {
      logFailure(thrown)
      return fallback
    }
    if (!isPaused()) log(timeoutLine)
    pausedUntilMs = now() + pauseMs
    return fallback
  }

  function guarded<T>(method: () => T, fallback: T): T {
    try {
      return method()
    } catch (thrown) {
      logFailure(thrown)
      return fallback
    }
  }

  return { isPaused, within, guarded }
}

const timeoutLine = `The cache's driver did not answer within ${storeWithinMs / 1000} s. This process goes on with its own memory, and tries it again in ${pauseMs / 1000} s.`

/** Known to this process only. */
const localLease: Lease = { kind: 'ours', complete: async () => {}, release: async () => {} }

/** Releases a lease that arrives too late, because other processes would wait for its owner. */
function releaseAbandoned(leasing: Promise<Lease | null>): void {
  leasing
    .then((lease) => (lease?.kind === 'ours' ? lease.release() : undefined))
    .catch(() => {
      // The failure was logged, or is one of a lease that nobody waits for.
    })
}
