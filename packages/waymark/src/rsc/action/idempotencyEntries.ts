import type { StoredResponse } from './idempotencyStore.ts'

/** How a request ended. */
export type IdempotencyOutcome =
  | StoredResponse
  /** It has a response, which is not stored. */
  | 'answer-gone'
  /** It did not run here, and may be tried again. */
  | 'released'

/** A request that runs, or has run. */
export type IdempotencyEntry = {
  readonly identity: string
  /** Whose share of the memory it takes. */
  readonly network: string | null
  readonly expiresAtMs: number
  bodyHash: string
  /** Hashes of the credentials that it may be repeated with. */
  credentials: readonly string[]
  /** A promise while it runs only: Node ties to each all that its request has created. */
  outcome: IdempotencyOutcome | Promise<IdempotencyOutcome>
}

/** Bounds of what is remembered. */
export type IdempotencyBounds = {
  readonly ttlMs: number
  /** Of all entries, in memory. */
  readonly maxBytes: number
  readonly maxResponseBytes: number
  /** Responses that are read to their end without a reader. */
  readonly maxUnread: number
}

/** Ten minutes, 32 MB. */
export const defaultBounds: IdempotencyBounds = {
  ttlMs: 10 * 60_000,
  maxBytes: 32_000_000,
  maxResponseBytes: 1_000_000,
  maxUnread: 200,
}

/**
 * The entries of a process. Beyond the bound, the networks that take most make room: the oldest of
 * their responses go first, then the oldest of their keys, and none that still runs.
 */
export type IdempotencyEntries = {
  get(identity: string): IdempotencyEntry | undefined
  add(entry: IdempotencyEntry): void
  /** To be called when an entry has changed. */
  measure(entry: IdempotencyEntry): void
  remove(entry: IdempotencyEntry): void
}

// Measured with 8,000 entries, and rounded up.
const entryBytes = 700
const responseBytes = 350
const lineBytes = 100
const sweepEveryMs = 1_000

/** Creates it, empty. */
export function createIdempotencyEntries(
  { maxBytes }: Pick<IdempotencyBounds, 'maxBytes'>,
  now: () => number,
): IdempotencyEntries {
  const all = new Map<string, IdempotencyEntry>()
  const shares = createShares()
  let sweptAtMs = now()

  function remove(entry: IdempotencyEntry): void {
    if (all.get(entry.identity) !== entry) return
    all.delete(entry.identity)
    shares.count(entry, 0)
  }

  function sweep(): void {
    sweptAtMs = now()
    for (const entry of all.values()) {
      if (!isRunning(entry) && entry.expiresAtMs <= now()) remove(entry)
    }
  }

  function dropResponse(entry: IdempotencyEntry): void {
    entry.outcome = 'answer-gone'
    shares.count(entry, sizeOf(entry))
  }

  function measure(entry: IdempotencyEntry): void {
    if (all.get(entry.identity) !== entry) return
    shares.count(entry, sizeOf(entry))
    if (shares.bytes() > maxBytes) sweep()
    // Some more than needed, since it looks at everything.
    if (shares.bytes() > maxBytes) shares.shrink(maxBytes * (15 / 16), [dropResponse, remove])
  }

  return {
    get(identity) {
      const entry = all.get(identity)
      return entry && (isRunning(entry) || entry.expiresAtMs > now()) ? entry : undefined
    },
    add(entry) {
      const before = all.get(entry.identity)
      if (before) remove(before)
      all.set(entry.identity, entry)
      if (now() - sweptAtMs >= sweepEveryMs) sweep()
      measure(entry)
    },
    measure,
    remove,
  }
}

/** The memory that one network takes. */
type Share = { bytes: number; readonly entries: Map<IdempotencyEntry, number> }

type Drop = (entry: IdempotencyEntry) => void

function createShares() {
  const shares = new Map<string | null, Share>()
  let bytes = 0

  return {
    bytes: () => bytes,
    /** Sets how much an entry takes. */
    count(entry: IdempotencyEntry, size: number): void {
      const share = shares.get(entry.network) ?? { bytes: 0, entries: new Map() }
      const more = size - (share.entries.get(entry) ?? 0)
      share.bytes += more
      bytes += more
      if (size > 0) share.entries.set(entry, size)
      else share.entries.delete(entry)
      if (share.entries.size > 0) shares.set(entry.network, share)
      else shares.delete(entry.network)
    },
    /**
     * Drops from the largest shares, the oldest first.
     * @param drops ways to do so; each only where the one before is not enough
     */
    shrink(target: number, drops: readonly Drop[]): void {
      const largest = [...shares.values()].sort((one, other) => other.bytes - one.bytes)
      const level = levelOf(largest, target)
      for (const drop of drops) {
        for (const share of largest) {
          for (const entry of share.entries.keys()) {
            if (bytes <= target) return
            if (share.bytes <= level) break
            if (!isRunning(entry)) drop(entry)
          }
        }
      }
    },
  }
}

function isRunning({ outcome }: IdempotencyEntry): boolean {
  return outcome instanceof Promise
}

/** @returns how much each may have so that all together have no more than the target */
function levelOf(largestFirst: readonly Share[], target: number): number {
  let left = target
  let others = largestFirst.length
  for (const { bytes } of largestFirst.toReversed()) {
    if (bytes * others > left) return left / others
    left -= bytes
    others--
  }
  return target
}

function sizeOf({ outcome, credentials }: IdempotencyEntry): number {
  let size = entryBytes + credentials.length * lineBytes
  if (typeof outcome === 'string' || outcome instanceof Promise) return size
  size += responseBytes + outcome.body.byteLength
  for (const [name, value] of outcome.headers) size += lineBytes + name.length + value.length
  return size
}
