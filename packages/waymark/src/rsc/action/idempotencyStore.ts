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
  /** Called when the entry makes room for others. */
  onEvicted: ((what: 'response' | 'key') => void) | null
}

export type IdempotencyEntries = ReturnType<typeof createIdempotencyEntries>

const sweepEveryMs = 1_000

/**
 * Stores the entries of a process. Above `maxBytes` the sites with the largest shares give way, and in
 * them the networks with the largest shares: first their oldest responses, then their oldest keys, never a
 * running request.
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
    if (typeof entry.outcome === 'string') return
    entry.outcome = 'response-gone'
    shares.count(entry, sizeOf(entry))
    entry.onEvicted?.('response')
  }

  function evictKey(entry: IdempotencyEntry): void {
    remove(entry)
    entry.onEvicted?.('key')
  }

  function measure(entry: IdempotencyEntry): void {
    if (entries.get(entry.identity) !== entry) return
    shares.count(entry, sizeOf(entry))
    if (shares.bytes() > maxBytes) sweep()
    // Frees 1/16 more than needed, because shrinking looks at all entries.
    if (shares.bytes() > maxBytes) shares.shrink(maxBytes * (15 / 16), [evictResponse, evictKey])
  }

  return {
    bytesOf: shares.bytesOf,
    get(identity: string): IdempotencyEntry | undefined {
      const entry = entries.get(identity)
      return entry && (isRunning(entry) || entry.expiresAtMs > now()) ? entry : undefined
    },
    add(request: Omit<IdempotencyEntry, 'outcome' | 'onEvicted'>) {
      let resolve: (outcome: IdempotencyOutcome) => void = () => {}
      const outcome = new Promise<IdempotencyOutcome>((settled) => {
        resolve = settled
      })
      const entry: IdempotencyEntry = { ...request, outcome, onEvicted: null }
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

/** Of one network: an IPv4 address, or the first 64 bits of an IPv6 address. */
type NetworkShare = { bytes: number; readonly entries: Map<IdempotencyEntry, number> }

/** Of all networks that may belong to one customer of a provider. */
type SiteShare = { bytes: number; readonly networks: Map<string | null, NetworkShare> }

function createShares() {
  const sites = new Map<string | null, SiteShare>()
  let bytes = 0

  function count(entry: IdempotencyEntry, size: number): void {
    const name = siteOf(entry.network)
    const site = sites.get(name) ?? { bytes: 0, networks: new Map() }
    const network = site.networks.get(entry.network) ?? { bytes: 0, entries: new Map() }
    const more = size - (network.entries.get(entry) ?? 0)
    network.bytes += more
    site.bytes += more
    bytes += more
    if (size > 0) network.entries.set(entry, size)
    else network.entries.delete(entry)
    if (network.entries.size > 0) site.networks.set(entry.network, network)
    else site.networks.delete(entry.network)
    if (site.networks.size > 0) sites.set(name, site)
    else sites.delete(name)
  }

  return {
    bytes: () => bytes,
    bytesOf: (network: string | null): number => sites.get(siteOf(network))?.bytes ?? 0,
    count,
    /** @param drops ways to drop, tried in order until the target is reached */
    shrink(target: number, drops: readonly ((entry: IdempotencyEntry) => void)[]): void {
      for (const drop of drops) {
        shrinkLargest([...sites.values()], target, ({ networks }, siteBytes) => {
          shrinkLargest([...networks.values()], siteBytes, (network, networkBytes) => {
            for (const entry of network.entries.keys()) {
              if (network.bytes <= networkBytes) return
              if (!isRunning(entry)) drop(entry)
            }
          })
        })
      }
    },
  }
}

/** Providers give a customer as much as a network of 48 bits: 65,536 networks of 64 bits. */
function siteOf(network: string | null): string | null {
  return network?.includes(':') ? network.split(':').slice(0, 3).join(':') : network
}

/** Shrinks the shares above the level at which the sum of all is the target. */
function shrinkLargest<Share extends { readonly bytes: number }>(
  shares: Share[],
  target: number,
  shrink: (share: Share, bytes: number) => void,
): void {
  const largestFirst = shares.sort((one, other) => other.bytes - one.bytes)
  const level = levelOf(largestFirst, target)
  for (const share of largestFirst) if (share.bytes > level) shrink(share, level)
}

function isRunning({ outcome }: IdempotencyEntry): boolean {
  return outcome instanceof Promise
}

/** @returns the largest share in bytes with which the sum of all shares stays within the target */
function levelOf(largestFirst: readonly { readonly bytes: number }[], target: number): number {
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
/** Of the lease in a shared store. */
const leaseBytes = 500

function sizeOf({ outcome, credentials, onEvicted }: IdempotencyEntry): number {
  let size = entryBytes + credentials.length * lineBytes
  if (onEvicted) size += leaseBytes
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
