import { isThenable, timedOut, withDeadline } from '../shared/promises.ts'
import type { CacheDriver, Lease } from './cacheDriver.ts'

// Maximum milliseconds for a call to a store. A working network or disk is many times faster.
export const storeWithinMs = 3_000

// Milliseconds for which a store that was late isn't read. Otherwise each request would wait for
// it.
export const pauseMs = 10_000

/**
 * Adds deadlines to a driver and catches its errors. A store that hangs or fails counts as empty,
 * but still gets writes.
 * @param log called once for each pause
 */
export function withStoreDeadlines(
  driver: CacheDriver,
  log: (line: string) => void,
  now: () => number = Date.now,
): CacheDriver {
  const { isPaused, within, guarded } = createWaits(log, now)
  const writes = new Set<Promise<void>>()
  let isProbing = false

  /** Calls a method that returns its result or a promise for it. */
  function call<T>(method: () => T | Promise<T>, fallback: T): T | Promise<T> {
    const result = guarded(method, fallback)
    // The result may be a thenable without `catch`, such as a query builder.
    return isThenable(result) ? within(result as PromiseLike<T>, fallback) : result
  }

  /** Calls a method that writes. `close` waits for it, because a driver may drop unfinished writes. */
  function write(method: () => void | Promise<void>): void | Promise<void> {
    const writing = call(method, undefined)
    if (!isThenable(writing)) return
    // `call` never rejects.
    const ended = writing.then(() => void writes.delete(ended))
    writes.add(ended)
    return ended
  }

  /** Finds out if the store works again. Reads one key at a time. */
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
      complete: async (result) => write(() => leased.complete(result)),
      release: async () => write(() => leased.release()),
      ...(leased.withdraw && {
        withdraw: async () => write(() => leased.withdraw?.()),
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
    set: (key, entry) => write(() => driver.set(key, entry)),
    delete: (key) => write(() => driver.delete(key)),
    invalidate: (tags, mode) => write(() => driver.invalidate(tags, mode)),
    // At position 0, entries are older than every invalidation.
    position: () => guarded(() => driver.position(), 0),
    ...(freshnessByTags && {
      freshnessByTags: (entry) => guarded(() => freshnessByTags.call(driver, entry), 'expired'),
    }),
    // A process that can't listen for invalidations must not start, so don't catch errors.
    onInvalidated: (listener) => driver.onInvalidated(listener),
    // If the method throws, requests must wait for `catchUp()`, so that no outdated response is
    // sent.
    ...(isBehind && { isBehind: () => guarded(() => isBehind.call(driver), true) }),
    ...(catchUp && {
      catchUp: async () => (isPaused() ? undefined : call(() => catchUp.call(driver), undefined)),
    }),
    lease,
    async close() {
      await Promise.all(writes)
      await call(() => driver.close(), undefined)
    },
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
    log(`The cache driver failed: ${reason}. This request only uses its server process's memory.`)
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

const timeoutLine = `The cache driver didn't respond within ${storeWithinMs / 1000} s. This process uses only its own memory and tries again in ${pauseMs / 1000} s.`

/** A lease that only this process knows about. */
const localLease: Lease = { kind: 'ours', complete: async () => {}, release: async () => {} }

/** Releases a lease that arrives too late. Otherwise other processes would wait for this process. */
function releaseAbandoned(leasing: Promise<Lease | null>): void {
  leasing
    .then((lease) => (lease?.kind === 'ours' ? lease.release() : undefined))
    .catch(() => {
      // Ignore the failure, because it was logged or it concerns a lease that nobody waits for.
    })
}
