import type { CacheDriver } from '../../cache/cacheDriver.ts'
import { decodeFrame, encodeFrame } from '../../cache/cacheEntry.ts'
import type { StoredResponse } from './storeResponse.ts'

export type IdempotencyOutcome =
  | StoredResponse
  /** The action ran, but its response was not stored. */
  | 'response-gone'
  /** The action did not run here, and may be tried again. */
  | 'released'

export type IdempotencyEntry = {
  readonly identity: string
  /** The network whose share of memory the entry uses; `null` when unknown. */
  readonly network: string | null
  readonly expiresAtMs: number
  bodyHash: string
  /** Hashes of the credentials that may repeat the request. */
  credentials: readonly string[]
  /** A promise only while the request runs: Node ties it to all that its request has created. */
  outcome: IdempotencyOutcome | Promise<IdempotencyOutcome>
}

export type IdempotencyEntries = ReturnType<typeof createIdempotencyEntries>

const sweepEveryMs = 1_000

/**
 * Stores the entries of a process. Above `maxBytes` the networks with the largest shares give way:
 * first their oldest responses, then their oldest keys, never a running request.
 */
export function createIdempotencyEntries(maxBytes: number, now: () => number) {
  const entries = new Map<string, IdempotencyEntry>()
  const shares = createShares()
  let sweptAtMs = now()

  function remove(entry: IdempotencyEntry): void {
    if (entries.get(entry.identity) !== entry) return
    entries.delete(entry.identity)
    shares.count(entry, 0)
  }

  function sweep(): void {
    sweptAtMs = now()
    for (const entry of entries.values()) {
      if (!isRunning(entry) && entry.expiresAtMs <= now()) remove(entry)
    }
  }

  function dropResponse(entry: IdempotencyEntry): void {
    entry.outcome = 'response-gone'
    shares.count(entry, sizeOf(entry))
  }

  function measure(entry: IdempotencyEntry): void {
    if (entries.get(entry.identity) !== entry) return
    shares.count(entry, sizeOf(entry))
    if (shares.bytes() > maxBytes) sweep()
    // Frees 1/16 more than needed, because shrinking looks at all entries.
    if (shares.bytes() > maxBytes) shares.shrink(maxBytes * (15 / 16), [dropResponse, remove])
  }

  return {
    bytesOf: shares.bytesOf,
    get(identity: string): IdempotencyEntry | undefined {
      const entry = entries.get(identity)
      return entry && (isRunning(entry) || entry.expiresAtMs > now()) ? entry : undefined
    },
    add(request: Omit<IdempotencyEntry, 'outcome'>) {
      let resolve: (outcome: IdempotencyOutcome) => void = () => {}
      const outcome = new Promise<IdempotencyOutcome>((settled) => {
        resolve = settled
      })
      const entry: IdempotencyEntry = { ...request, outcome }
      const before = entries.get(entry.identity)
      if (before) remove(before)
      entries.set(entry.identity, entry)
      if (now() - sweptAtMs >= sweepEveryMs) sweep()
      measure(entry)
      const settle = (settled: IdempotencyOutcome) => {
        entry.outcome = settled
        if (settled === 'released') remove(entry)
        else measure(entry)
        resolve(settled)
      }
      return { entry, settle }
    },
  }
}

type Share = { bytes: number; readonly entries: Map<IdempotencyEntry, number> }

function createShares() {
  const shares = new Map<string | null, Share>()
  let bytes = 0

  return {
    bytes: () => bytes,
    bytesOf: (network: string | null): number => shares.get(network)?.bytes ?? 0,
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
    /** @param drops ways to drop, tried in order until the target is reached */
    shrink(target: number, drops: readonly ((entry: IdempotencyEntry) => void)[]): void {
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

/** @returns the largest share in bytes with which the sum of all shares stays within the target */
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

// Measured with 8,000 entries, and rounded up.
const entryBytes = 700
const responseBytes = 350
const lineBytes = 100

function sizeOf({ outcome, credentials }: IdempotencyEntry): number {
  let size = entryBytes + credentials.length * lineBytes
  if (typeof outcome === 'string' || outcome instanceof Promise) return size
  size += responseBytes + outcome.body.byteLength
  for (const [name, value] of outcome.headers) size += lineBytes + name.length + value.length
  return size
}

export type IdempotencyStore = Pick<CacheDriver, 'lease'>

type SharedEntry = Pick<IdempotencyEntry, 'bodyHash' | 'credentials'> & {
  readonly response: StoredResponse | null
}

// Changes with the format: a response of another version counts as gone.
const entryMark = 'WMI1'

export function encodeSharedEntry({ bodyHash, credentials, response }: SharedEntry): Uint8Array {
  const { body = new Uint8Array(), ...head } = response ?? {}
  return encodeFrame(entryMark, { bodyHash, credentials, ...head }, [body])
}

export function decodeSharedEntry(bytes: Uint8Array): SharedEntry | null {
  const frame = decodeFrame<StoredHead>(entryMark, Buffer.from(bytes))
  if (frame === null) return null
  const { bodyHash, credentials, status, headers } = frame.head
  const isStored = status !== undefined && headers !== undefined
  const response = isStored ? { status, headers, body: frame.bodies } : null
  return { bodyHash, credentials, response }
}

type StoredHead = Omit<SharedEntry, 'response'> & Partial<Omit<StoredResponse, 'body'>>
