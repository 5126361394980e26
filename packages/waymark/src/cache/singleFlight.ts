import { setBounded } from '../shared/maps.ts'
import { timedOut, withDeadline } from '../shared/promises.ts'
import type { CacheEntry } from './cacheDriver.ts'
import {
  type CacheRead,
  type Compute,
  type Computed,
  freshness,
  normalizeKey,
  toEntry,
  toRead,
} from './cacheEntry.ts'
import type { MemoryDriver } from './memoryCacheDriver.ts'
import type { SharedStore } from './sharedStore.ts'

export type SingleFlightOptions = {
  readonly memory: MemoryDriver
  readonly shared: SharedStore
  readonly failures: ReturnType<typeof createComputeBackoff>
  readonly now: () => number
  readonly onStart?: ((work: Promise<unknown>) => void) | undefined
}

type Outcome =
  | { readonly kind: 'entry'; readonly entry: CacheEntry }
  /** The value is only for the reader that has started the computation. */
  | { readonly kind: 'own'; readonly computed: Computed }

type Running = { readonly outcome: Promise<Outcome>; readonly startedAtMs: number }

// Maximum milliseconds to wait for a different reader's computation. Readers don't join a
// computation that has been running for longer.
const joinWithinMs = 30_000

export function createSingleFlight(options: SingleFlightOptions) {
  const { memory, now, onStart } = options
  const all = new Map<string, Running>()

  function find(name: string): Running | null {
    const running = all.get(name)
    return running && now() - running.startedAtMs < joinWithinMs ? running : null
  }

  function start(name: string, compute: Compute): Running {
    // Work for which the readers don't wait. On some hosts, it would be cut off with the response.
    const writes: Promise<unknown>[] = []
    const outcome = run(name, compute, { ...options, writes }).finally(() => {
      if (all.get(name) === started) all.delete(name)
    })
    const started: Running = { startedAtMs: now(), outcome }
    all.set(name, started)
    if (onStart) onStart(outcome.catch(() => {}).then(() => Promise.all(writes)))
    return started
  }

  return {
    isRunning: (name: string) => find(name) !== null,
    /**
     * Joins a running computation or starts one.
     * @param isEnded returns true for an entry that is too old for this reader
     */
    async read(
      name: string,
      compute: Compute,
      isEnded: (entry: CacheEntry) => boolean = () => false,
    ): Promise<CacheRead> {
      for (;;) {
        const joined = find(name)
        const outcome = joined
          ? await withDeadline(joined.outcome, joined.startedAtMs + joinWithinMs - now())
          : await start(name, compute).outcome
        if (outcome === timedOut) {
          // Remove the late computation. The first reader that stops waiting then starts a new one,
          // which the others join.
          if (all.get(name) === joined) all.delete(name)
          continue
        }
        if (outcome.kind === 'own') {
          const computed = joined ? await compute() : outcome.computed
          return toRead(toEntry(computed, now(), 0), 'computed')
        }
        // If a computation started before an invalidation, its result is too old for a reader that
        // came later.
        const { entry } = outcome
        const isOutdated = memory.freshnessByTags(entry) === 'expired' || isEnded(entry)
        if (!joined || !isOutdated) return toRead(entry, 'computed')
      }
    },
    /** Starts a computation in the background, unless one is running. */
    startRefresh(name: string, compute: Compute, onFailure: (thrown: unknown) => void): void {
      if (!find(name)) start(name, compute).outcome.catch(onFailure)
    },
  }
}

type RunOptions = SingleFlightOptions & { readonly writes: Promise<unknown>[] }

async function run(name: string, compute: Compute, options: RunOptions): Promise<Outcome> {
  const { memory, shared, failures, now, writes } = options
  const lock = await acquireComputeLock(name, options)
  if (lock.kind === 'entry') return lock
  const { release } = lock
  try {
    const started = { atMs: now(), memory: memory.position(), driver: shared.position() }
    const computed = await compute()
    failures.clear(name)
    if (!computed.isShared) {
      writes.push(release())
      return { kind: 'own', computed }
    }
    const entry = toEntry(computed, started.atMs, started.memory)
    // Other processes may see the entry later, so don't make the reader wait.
    writes.push(shared.set(name, entry, started.driver).finally(release))
    return { kind: 'entry', entry }
  } catch (thrown) {
    failures.add(name)
    writes.push(release())
    throw thrown
  }
}

// Milliseconds after which a killed process's lock is free.
const lockLeaseMs = 5_000
// Maximum milliseconds to wait for a different process. After that, computing twice is better than
// waiting.
const maxWaitMs = 30_000
const lockFirstWaitMs = 10
const lockLongestWaitMs = 100

/** Waits until this process has the lock, or a different process has stored the entry. */
async function acquireComputeLock(
  name: string,
  { memory, shared, now, writes }: RunOptions,
): Promise<Extract<Outcome, { kind: 'entry' }> | { kind: 'locked'; release: () => Promise<void> }> {
  const driver = shared.driver()
  const unlocked = { kind: 'locked', release: async () => {} } as const
  if (!driver) return unlocked
  const lockName = normalizeKey(`lock:${name}`)
  const startedAtMs = now()
  for (let waitMs = lockFirstWaitMs; ; waitMs = Math.min(waitMs * 2, lockLongestWaitMs)) {
    const lease = await driver.lease(lockName, maxWaitMs, lockLeaseMs)
    await shared.lookUp(name)
    const entry = memory.get(name)
    if (entry && freshness(entry, now()) === 'fresh') {
      if (lease.kind === 'ours') writes.push(lease.release())
      return { kind: 'entry', entry }
    }
    if (lease.kind === 'ours') return { kind: 'locked', release: lease.release }
    if (now() - startedAtMs > maxWaitMs) return unlocked
    await new Promise((resolve) => setTimeout(resolve, waitMs))
  }
}

const firstWaitMs = 1_000
const longestWaitMs = 60_000
const maxKeys = 10_000

export function createComputeBackoff(now: () => number) {
  const failures = new Map<string, { waitMs: number; untilMs: number }>()
  return {
    mustWait: (key: string) => failures.size > 0 && (failures.get(key)?.untilMs ?? 0) > now(),
    add(key: string): void {
      const waitMs = Math.min((failures.get(key)?.waitMs ?? firstWaitMs / 2) * 2, longestWaitMs)
      setBounded(failures, key, { waitMs, untilMs: now() + waitMs }, maxKeys)
    },
    clear: (key: string) => void failures.delete(key),
  }
}
