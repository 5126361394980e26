import type { Release } from './driver.ts'
import { storeComputed } from './made.ts'
import type { MemoryDriver } from './memory.ts'
import type { SharedStore } from './sharedStore.ts'

/** What came of asking to do something that is to be done once. */
export type Claim =
  /** It is the caller's turn, who ends it by one of these. */
  | {
      readonly kind: 'ours'
      /** Keeps the result, for those who ask again. */
      keep(result: Uint8Array): Promise<void>
      /** Leaves it undone. */
      release(): Promise<void>
    }
  | { readonly kind: 'done'; readonly result: Uint8Array }
  /** Somebody was still at it when the time was over. */
  | { readonly kind: 'running' }

/** For how long. */
export type ClaimTimes = {
  /** How long a result is kept. */
  readonly keepSeconds: number
  /** How long to wait for somebody who is at it. */
  readonly waitMs: number
}

/** What a claim needs. */
export type ClaimParts = {
  readonly memory: MemoryDriver
  readonly shared: SharedStore
  readonly now: () => number
}

// Of a process that was killed; one that lives holds on to it for 30 s.
const lockMs = 5_000
const firstWaitMs = 10
const longestWaitMs = 200

/** Claims something that is to be done once over all processes: a submission of a form. */
export async function claim(
  name: string,
  { keepSeconds, waitMs: longestMs }: ClaimTimes,
  parts: ClaimParts,
): Promise<Claim> {
  const { memory, shared, now } = parts
  const endMs = now() + longestMs
  for (let waitMs = firstWaitMs; ; waitMs = Math.min(waitMs * 2, longestWaitMs)) {
    const release = await lockBoth(name, parts)
    if (!memory.get(name)) await shared.lookUp(name)
    const done = memory.get(name)
    if (done) {
      await release?.()
      return { kind: 'done', result: done.value }
    }
    if (release) {
      const keep = async (result: Uint8Array) => {
        const times = { revalidateSeconds: null, expireSeconds: keepSeconds }
        const computed = { value: result, tags: [], ...times, isShared: true }
        await storeComputed({ key: name, computed, atMs: now() }, parts)
        await release()
      }
      return { kind: 'ours', keep, release }
    }
    if (now() >= endMs) return { kind: 'running' }
    await new Promise((resolve) => setTimeout(resolve, waitMs))
  }
}

/** Without a driver, or while its store is away, the lock of this process is all there is. */
async function lockBoth(name: string, { memory, shared }: ClaimParts): Promise<Release | null> {
  const own = await memory.lock(name, Number.POSITIVE_INFINITY)
  if (!own) return null
  const others = await shared.lock(name, lockMs)
  if (others) return async () => void (await Promise.all([own(), others()]))
  await own()
  return null
}
