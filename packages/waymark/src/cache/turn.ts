import type { CacheEntry } from './driver.ts'
import { freshness } from './freshness.ts'
import type { MemoryDriver } from './memory.ts'
import type { SharedStore } from './sharedStore.ts'

/** Whose turn it is to compute a key. */
export type ComputeLock =
  | { readonly kind: 'ours'; readonly release: () => void }
  | { readonly kind: 'computed elsewhere'; readonly entry: CacheEntry }

/** What taking a turn needs. */
export type ComputeLockOptions = {
  readonly memory: MemoryDriver
  readonly shared: SharedStore
  readonly now: () => number
}

// A process that is killed while it computes holds up the others no longer than this.
const lockMs = 5_000
// Past this, a second computation does less harm than the wait for the first.
const maxWaitMs = 30_000
const lockFirstWaitMs = 10
const lockLongestWaitMs = 100

/** Waits until nobody else computes a key: then it is our turn, or it is done. */
export async function acquireComputeLock(
  name: string,
  { memory, shared, now }: ComputeLockOptions,
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
