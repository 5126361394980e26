import { setBounded } from '../shared/boundedMap.ts'
import type { CacheEntry } from './cacheDriver.ts'
import {
  type CacheRead,
  type Compute,
  type Computed,
  freshness,
  toEntry,
  toRead,
} from './cacheEntry.ts'
import type { MemoryDriver } from './memoryCacheDriver.ts'
import type { SharedStore } from './sharedStore.ts'

/** Runs one computation of a key at a time. */
export type SingleFlight = {
  isRunning(name: string): boolean
  /** Joins the computation of a key, or starts it. */
  read(name: string, compute: Compute): Promise<CacheRead>
  /** Starts a refresh in the background, unless one runs. */
  startRefresh(name: string, compute: Compute, onFailure: OnFailure): void
}

type OnFailure = (thrown: unknown, name: string) => void

export type SingleFlightOptions = {
  readonly memory: MemoryDriver
  readonly shared: SharedStore
  readonly failures: ComputeBackoff
  readonly now: () => number
  readonly onStart?: ((work: Promise<unknown>) => void) | undefined
}

type Outcome =
  | { readonly kind: 'entry'; readonly entry: CacheEntry }
  /** Belongs to the reader who started it. */
  | { readonly kind: 'own'; readonly computed: Computed }

type Running = { readonly outcome: Promise<Outcome>; readonly startedAtMs: number }

// Later readers do not join a computation that has taken longer.
const joinWithinMs = 30_000

export function createSingleFlight(options: SingleFlightOptions): SingleFlight {
  const { memory, now, onStart } = options
  const all = new Map<string, Running>()

  function find(name: string): Running | null {
    const running = all.get(name)
    return running && now() - running.startedAtMs < joinWithinMs ? running : null
  }

  function start(name: string, compute: Compute): Running {
    const outcome = run(name, compute, options).finally(() => {
      if (all.get(name) === started) all.delete(name)
    })
    const started: Running = { startedAtMs: now(), outcome }
    all.set(name, started)
    if (onStart) onStart(outcome.catch(() => {}))
    return started
  }

  return {
    isRunning: (name) => find(name) !== null,
    async read(name, compute) {
      for (;;) {
        const joined = find(name)
        const outcome = await (joined ?? start(name, compute)).outcome
        switch (outcome.kind) {
          case 'entry': {
            // A reader who joined after an invalidation must not get what was begun before it.
            const isUsable = !joined || memory.freshnessByTags(outcome.entry) !== 'expired'
            if (isUsable) return toRead(outcome.entry, 'computed')
            break
          }
          case 'own': {
            const own = joined ? await compute() : outcome.computed
            return toRead(toEntry(own, now(), 0), 'computed')
          }
        }
      }
    },
    startRefresh(name, compute, onFailure) {
      if (find(name)) return
      start(name, compute).outcome.catch((thrown) => onFailure(thrown, name))
    },
  }
}

/** Computes a key once this process has its lock, and stores the value. */
async function run(name: string, compute: Compute, options: SingleFlightOptions): Promise<Outcome> {
  const { memory, shared, failures, now } = options
  const lock = await acquireComputeLock(name, options)
  if (lock.kind === 'computed elsewhere') return { kind: 'entry', entry: lock.entry }
  try {
    const started = { atMs: now(), memory: memory.position(), shared: shared.position() }
    const computed = await compute()
    failures.clear(name)
    if (!computed.isShared) {
      lock.release()
      return { kind: 'own', computed }
    }
    const entry = toEntry(computed, started.atMs, started.memory)
    memory.set(name, entry)
    // The reader does not wait for other processes to see it.
    void shared.set(name, { ...entry, position: started.shared }).finally(lock.release)
    return { kind: 'entry', entry }
  } catch (thrown) {
    failures.add(name)
    lock.release()
    throw thrown
  }
}

/** Who computes a key: this process, or another one that has done so. */
export type ComputeLock =
  | { readonly kind: 'ours'; readonly release: () => void }
  | { readonly kind: 'computed elsewhere'; readonly entry: CacheEntry }

// A process that is killed while it computes holds up the others no longer than this.
const lockMs = 5_000
// Past this, a second computation does less harm than the wait for the first.
const maxWaitMs = 30_000
const lockFirstWaitMs = 10
const lockLongestWaitMs = 100

/** Waits until no other process computes a key: then this one has the lock, or it is done. */
export async function acquireComputeLock(
  name: string,
  { memory, shared, now }: Pick<SingleFlightOptions, 'memory' | 'shared' | 'now'>,
): Promise<ComputeLock> {
  if (!shared.isAttached) return { kind: 'ours', release: () => {} }
  const startedAtMs = now()
  for (let waitMs = lockFirstWaitMs; ; waitMs = Math.min(waitMs * 2, lockLongestWaitMs)) {
    const release = await shared.lock(name, lockMs)
    await shared.lookUp(name)
    const entry = memory.get(name)
    if (entry && freshness(entry, now()) === 'fresh') {
      void release?.()
      return { kind: 'computed elsewhere', entry }
    }
    if (release) return { kind: 'ours', release: () => void release() }
    if (now() - startedAtMs > maxWaitMs) return { kind: 'ours', release: () => {} }
    await new Promise((resolve) => setTimeout(resolve, waitMs))
  }
}

/** Backs off from keys whose refresh failed lately. */
export type ComputeBackoff = {
  /** Whether it is too early to try again. */
  mustWait(key: string): boolean
  add(key: string): void
  clear(key: string): void
}

const firstWaitMs = 1_000
const longestWaitMs = 60_000
const maxKeys = 10_000

export function createComputeBackoff(now: () => number): ComputeBackoff {
  const failures = new Map<string, { waitMs: number; untilMs: number }>()
  return {
    mustWait: (key) => failures.size > 0 && (failures.get(key)?.untilMs ?? 0) > now(),
    add(key) {
      const waitMs = Math.min((failures.get(key)?.waitMs ?? firstWaitMs / 2) * 2, longestWaitMs)
      setBounded(failures, key, { waitMs, untilMs: now() + waitMs }, maxKeys)
    },
    clear: (key) => void failures.delete(key),
  }
}
