import type { CacheDriver, Lease } from '../../cache/cacheDriver.ts'
import { decodeFrame, encodeFrame } from '../../cache/cacheEntry.ts'
import type { StoredResponse } from './storeResponse.ts'

export type IdempotencyOutcome =
  | StoredResponse
  /** The action ran, but its response wasn't stored. */
  | 'response-gone'
  /** The action didn't run here and may be tried again. */
  | 'released'

/** The properties that change while the entry is stored. */
type EntryState = {
  /**
   * Outcome of the request, a promise only while it runs. A promise in Node retains everything that
   * its request created.
   */
  outcome: IdempotencyOutcome | Promise<IdempotencyOutcome>
  /** True if a shared store has the entry, too. */
  isShared: boolean
  /** The entry's lease, for a shared store that evicts the same entries as this process. */
  lease: AcquiredLease | null
  /** True once the entry has been evicted. */
  isEvicted: boolean
  /** Size of the entry as counted against the memory shares of its network and site. */
  bytes: number
}

export type IdempotencyEntry = EntryState & {
  readonly identity: string
  /** The network whose share of memory the entry uses; `null` if unknown. */
  readonly network: string | null
  readonly expiresAtMs: number
  bodyHash: string
  /** Hashes of the credentials with which the request may be repeated. */
  credentials: readonly string[]
}

export type AcquiredLease = Extract<Lease, { readonly kind: 'ours' }>

export type IdempotencyEntries = ReturnType<typeof createIdempotencyEntries>

const sweepEveryMs = 1_000

/**
 * Stores the entries of a process. Above `maxBytes`, it evicts from the sites with the largest shares, and within a
 * site from the networks with the largest shares. It evicts the oldest responses first, then the oldest keys, but never
 * a running request. A shared store evicts the same entries, so that no client can fill the process's memory or the
 * store.
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

  function evictResponse(entry: IdempotencyEntry): void {
    if (responseOf(entry) === null) return
    entry.outcome = 'response-gone'
    shares.count(entry, sizeOf(entry))
    void entry.lease?.complete(encodeSharedEntry(entry))
  }

  function evictKey(entry: IdempotencyEntry): void {
    entry.isEvicted = true
    remove(entry)
    void entry.lease?.withdraw?.()
  }

  function measure(entry: IdempotencyEntry): void {
    if (entries.get(entry.identity) !== entry) return
    shares.count(entry, sizeOf(entry))
    if (shares.total.bytes > maxBytes) sweep()
    if (shares.total.bytes <= maxBytes) return
    // Free 1/16 of the memory more than needed, because shrinking is expensive: it visits all
    // entries.
    const target = maxBytes * (15 / 16)
    shrink(shares.total, target, evictResponse)
    shrink(shares.total, target, evictKey)
  }

  return {
    bytesOf: shares.bytesOf,
    get(identity: string): IdempotencyEntry | undefined {
      const entry = entries.get(identity)
      return entry && (isRunning(entry) || entry.expiresAtMs > now()) ? entry : undefined
    },
    add(request: Omit<IdempotencyEntry, keyof EntryState>) {
      let resolve: (outcome: IdempotencyOutcome) => void = () => {}
      const outcome = new Promise<IdempotencyOutcome>((settled) => {
        resolve = settled
      })
      const entry: IdempotencyEntry = {
        ...request,
        outcome,
        isShared: false,
        lease: null,
        isEvicted: false,
        bytes: 0,
      }
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

/**
 * The memory that all entries, a site or a network use. Total memory is divided into sites, and a
 * site into networks. A network is an IPv4 address or the first 64 bits of an IPv6 address; a site
 * is all networks that may belong to one customer of a provider. Only networks have entries, oldest
 * first.
 */
type Share = {
  bytes: number
  readonly parts: Map<string | null, Share>
  readonly entries: Set<IdempotencyEntry>
}

function createShares() {
  const total = createShare()
  return {
    total,
    /** Returns the bytes that the network's whole site uses. */
    bytesOf: (network: string | null): number => total.parts.get(siteOf(network))?.bytes ?? 0,
    /** Updates the size of an entry in all shares. @param bytes 0 for an entry that is removed */
    count(entry: IdempotencyEntry, bytes: number): void {
      const siteName = siteOf(entry.network)
      const site = partOf(total, siteName)
      const network = partOf(site, entry.network)
      const added = bytes - entry.bytes
      entry.bytes = bytes
      for (const share of [total, site, network]) share.bytes += added
      if (bytes > 0) network.entries.add(entry)
      else network.entries.delete(entry)
      if (network.bytes === 0) site.parts.delete(entry.network)
      if (site.bytes === 0) total.parts.delete(siteName)
    },
  }
}

function createShare(): Share {
  return { bytes: 0, parts: new Map(), entries: new Set() }
}

function partOf(share: Share, name: string | null): Share {
  const existing = share.parts.get(name)
  if (existing) return existing
  const part = createShare()
  share.parts.set(name, part)
  return part
}

/**
 * Returns a network's site: for IPv6, the first 48 bits. Providers give a customer up to a whole
 * 48-bit prefix, which contains 65,536 networks of 64 bits.
 */
function siteOf(network: string | null): string | null {
  return network?.includes(':') ? network.split(':').slice(0, 3).join(':') : network
}

/**
 * Evicts entries from a share's largest parts, down to a common size, until the share has at most
 * `target` bytes.
 */
function shrink(share: Share, target: number, evict: (entry: IdempotencyEntry) => void): void {
  for (const entry of share.entries) {
    if (share.bytes <= target) return
    if (!isRunning(entry)) evict(entry)
  }
  const largestFirst = [...share.parts.values()].sort((one, other) => other.bytes - one.bytes)
  const level = levelOf(largestFirst, target)
  for (const part of largestFirst) {
    if (part.bytes > level) shrink(part, level, evict)
  }
}

/** Returns the maximum bytes per part at which all parts together fit into the target. */
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

function isRunning({ outcome }: IdempotencyEntry): boolean {
  return outcome instanceof Promise
}

function responseOf({ outcome }: Pick<IdempotencyEntry, 'outcome'>): StoredResponse | null {
  return typeof outcome === 'string' || outcome instanceof Promise ? null : outcome
}

// Bytes of an entry without its response: measured with 8,000 entries, then rounded up.
const entryBytes = 700
const leaseBytes = 500
const responseBytes = 350
const lineBytes = 100

function sizeOf(entry: IdempotencyEntry): number {
  let size = entryBytes + entry.credentials.length * lineBytes
  if (entry.isShared) size += leaseBytes
  const response = responseOf(entry)
  if (response === null) return size
  size += responseBytes + response.body.byteLength
  for (const [name, value] of response.headers) size += lineBytes + name.length + value.length
  return size
}

export type IdempotencyStore = Pick<CacheDriver, 'lease'>

type SharedEntry = Pick<IdempotencyEntry, 'bodyHash' | 'credentials'> & {
  readonly response: StoredResponse | null
}

type EncodedEntry = Pick<IdempotencyEntry, 'bodyHash' | 'credentials' | 'outcome'>

// Mark at the start of a stored response. Change it whenever the format changes, so that old
// responses count as missing.
const entryMark = 'WMI1'

export function encodeSharedEntry(entry: EncodedEntry): Uint8Array {
  const { bodyHash, credentials } = entry
  const { body = new Uint8Array(), ...head } = responseOf(entry) ?? {}
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
