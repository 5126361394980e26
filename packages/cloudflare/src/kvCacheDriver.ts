import { createHash, randomUUID } from 'node:crypto'
import {
  type CacheDriver,
  type CacheEntry,
  createInvalidations,
  createMemoryDriver,
  decodeCacheEntry,
  encodeCacheEntry,
  type Freshness,
  type InvalidationMode,
  type Lease,
  servableEntry,
} from 'waymark/drivers'
import { type CallState, createAttempts } from './stateClient.ts'

/** The methods of a KV namespace that the driver needs. */
export type KvNamespace = {
  get(key: string, type: 'arrayBuffer'): Promise<ArrayBuffer | null>
  put(key: string, value: Uint8Array, options: { expirationTtl: number }): Promise<void>
  delete(key: string): Promise<void>
}

/** Options of a cache in KV. */
export type KvCacheOptions = {
  readonly kv: KvNamespace
  readonly call: CallState
  readonly log?: (line: string) => void
  /** Keeps the worker running until the work is done, even after the response. */
  readonly keepAlive?: (work: Promise<unknown>) => void
  /**
   * Longest time until an invalidation by a different isolate takes effect, in milliseconds.
   * Default: 1 s. With 0, each request asks the Durable Object.
   */
  readonly invalidationDelayMs?: number
  /** Time after which the lease of an isolate that was ended is free. Default: 30 s. */
  readonly leaseMs?: number
}

// Expiry for entries without an expiry time. Otherwise, entries from old builds would stay forever.
const longestSeconds = 30 * 24 * 3_600

// Shortest expiry that KV accepts.
const shortestSeconds = 60

// Largest value that KV accepts.
const maxValueBytes = 25 * 2 ** 20

// Milliseconds for which KV may return an older value, or none, after a write.
const kvDelayMs = 60_000

// The clock of the machine that built the app may be ahead by this time.
const clockSkewMs = 60_000

/**
 * Creates a driver that stores entries in KV. KV may return an older value for a minute. So the tags
 * in the Durable Object decide if an entry may be used: each entry has the position in the log of
 * invalidations at which its computation started.
 */
export function createKvCache(options: KvCacheOptions): CacheDriver {
  const { kv, call, invalidationDelayMs = 1_000 } = options
  const log = options.log ?? ((line: string) => console.error(line))
  const meanwhile = 'Meanwhile, each isolate caches in its own memory'
  const callOptions = { log, keepAlive: options.keepAlive ?? (() => {}) }
  const attemptKv = createAttempts(`KV (${meanwhile})`, callOptions)
  const attempt = createAttempts(`The Durable Object (${meanwhile})`, callOptions)
  const local = createLocalEntries()
  const invalidations = createInvalidations(append)
  // Position up to which this isolate has applied every invalidation.
  let applied = 0
  let begun = 0
  let readAtMs = Number.NEGATIVE_INFINITY
  // False if the latest read failed. KV may then have entries that were invalidated since.
  let isCurrent = false

  async function append(tags: readonly string[], mode: InvalidationMode): Promise<boolean> {
    const appended = await attempt(() => call('invalidate', { tags, mode, after: applied }))
    if (!appended) return false
    invalidations.addOwn(tags, mode, appended.position)
    if (appended.previous === applied) applied = appended.position
    else await readNew()
    return true
  }

  // Requests don't share a running call, because a call ends with the request that started it.
  async function readNew(): Promise<void> {
    const startedAtMs = Date.now()
    const read = await attempt(() => call('readInvalidations', { after: applied }))
    readAtMs = startedAtMs
    isCurrent = read !== null
    if (!read) return
    begun = read.begun
    for (const mode of ['stale', 'expired'] as const) {
      if (read.dropped[mode] > 0) invalidations.addOthers('all', mode, read.dropped[mode])
    }
    for (const { tag, mode, position } of read.marks) {
      invalidations.addOthers([tag], mode, position)
    }
    applied = Math.max(applied, read.position)
  }

  function freshnessOf(key: string, entry: CacheEntry): Freshness {
    const tags = [...entry.tags, deletionTag(key)]
    const byTags = invalidations.freshness({ tags, position: entry.position })
    const isUnknown = entry.position < begun && !local.isSeed(key)
    return isUnknown && byTags === 'fresh' ? 'stale' : byTags
  }

  async function readKv(key: string): Promise<CacheEntry | null> {
    if (!isCurrent) return null
    const bytes = await attemptKv(() => kv.get(nameOf(key), 'arrayBuffer'))
    if (bytes === null) return null
    const entry = decodeCacheEntry(Buffer.from(bytes))
    if (!entry) log(`The cache entry ${key} in KV can't be read. It is computed again.`)
    return entry
  }

  return {
    async get(key) {
      const recent = local.recent(key)
      const stored = recent ?? (await readKv(key))
      if (stored && !recent) local.forget(key)
      const entry = stored ?? local.get(key)
      return entry && servableEntry(entry, freshnessOf(key, entry), Date.now())
    },
    async set(key, entry) {
      // A position of 0 means that the entry is a page of the build. Each isolate has these pages,
      // so don't store them in KV.
      if (entry.position === 0) {
        const position = Math.max(entry.storedAtMs - clockSkewMs, 0) * 1_000
        return local.set(key, { ...entry, position }, 'seed')
      }
      const bytes = encodeCacheEntry(entry)
      local.set(key, entry, 'written')
      if (bytes.byteLength > maxValueBytes) return
      const leftMs =
        entry.expireAtMs === null ? Number.POSITIVE_INFINITY : entry.expireAtMs - Date.now()
      if (leftMs < 1) return
      const seconds = Math.min(Math.max(Math.ceil(leftMs / 1_000), shortestSeconds), longestSeconds)
      await attemptKv(() => kv.put(nameOf(key), bytes, { expirationTtl: seconds }))
    },
    async delete(key) {
      local.forget(key)
      await attemptKv(() => kv.delete(nameOf(key)))
      // Other places may still return the value for a minute, so invalidate it as well.
      await invalidations.send([deletionTag(key)], 'expired')
    },
    invalidate: invalidations.send,
    position: () => applied,
    freshnessByTags: invalidations.freshness,
    onInvalidated: invalidations.onInvalidated,
    isBehind: () => Math.abs(Date.now() - readAtMs) >= invalidationDelayMs,
    async catchUp() {
      await invalidations.sendPending()
      await readNew()
    },
    lease: createStateLeases(call, { attempt, leaseMs: options.leaseMs }),
    async close() {},
  }
}

/** Tag of all entries with this key. It can't be a tag of an app, which has no control characters. */
const deletionTag = (key: string) => `\0deleted:${key}`

/** KV's keys have at most 512 bytes, so hash those that may be longer. */
function nameOf(key: string): string {
  const name = `entry:${key}`
  if (Buffer.byteLength(name) <= 512) return name
  return `hashed:${createHash('sha256').update(key).digest('base64url')}`
}

/** Entries that this isolate has written. KV may not return them yet. */
function createLocalEntries() {
  const entries = createMemoryDriver({ maxBytes: 16 * 2 ** 20 })
  const writtenAtMs = new Map<string, number>()
  const seeds = new Set<string>()

  function forget(key: string): void {
    entries.delete(key)
    writtenAtMs.delete(key)
    seeds.delete(key)
  }

  return {
    forget,
    isSeed: (key: string) => seeds.has(key),
    get: (key: string) => entries.get(key),
    /** Returns an entry that was written less than a minute ago. */
    recent(key: string): CacheEntry | null {
      const atMs = writtenAtMs.get(key)
      return atMs !== undefined && Date.now() - atMs < kvDelayMs ? entries.get(key) : null
    },
    set(key: string, entry: CacheEntry, kind: 'seed' | 'written'): void {
      entries.set(key, entry)
      writtenAtMs.set(key, Date.now())
      if (kind === 'seed') seeds.add(key)
      else seeds.delete(key)
      const [oldest] = writtenAtMs.keys()
      if (writtenAtMs.size > maxLocalKeys && oldest !== undefined) forget(oldest)
    },
  }
}

const maxLocalKeys = 10_000

type LeaseOptions = {
  readonly attempt: ReturnType<typeof createAttempts>
  readonly leaseMs?: number | undefined
}

/** Without the Durable Object, each isolate works alone. */
const localLease: Lease = { kind: 'ours', async complete() {}, async release() {} }

function createStateLeases(
  call: CallState,
  { attempt, leaseMs: defaultMs = 30_000 }: LeaseOptions,
) {
  function createLease(key: string, owner: string, ttlMs: number, leaseMs: number): Lease {
    const endsAtMs = Date.now() + ttlMs
    let storedUntilMs: number | null = null
    const renewing = setInterval(() => {
      if (Date.now() > endsAtMs) clearInterval(renewing)
      else void attempt(() => call('renew', { key, owner, leaseMs }))
    }, leaseMs / 3)
    return {
      kind: 'ours',
      async complete(result) {
        clearInterval(renewing)
        const nowMs = Date.now()
        storedUntilMs ??= nowMs + ttlMs
        const leftMs = storedUntilMs - nowMs
        // Don't write after the lease has expired, because the key may belong to somebody else.
        if (leftMs < 1) return
        const text = Buffer.from(result).toString('base64')
        await attempt(() => call('complete', { key, owner, result: text, leftMs }))
      },
      async withdraw() {
        if (storedUntilMs === null || storedUntilMs <= Date.now()) return
        storedUntilMs = 0
        await attempt(() => call('release', { key, owner }))
      },
      async release() {
        clearInterval(renewing)
        if (storedUntilMs === null) await attempt(() => call('release', { key, owner }))
      },
    }
  }

  return async (key: string, ttlMs: number, leaseMs = defaultMs): Promise<Lease> => {
    const owner = randomUUID()
    const lease = await attempt(() => call('lease', { key, owner, leaseMs }))
    if (lease === null) return localLease
    if (lease.kind === 'ours') return createLease(key, owner, ttlMs, leaseMs)
    if (lease.kind === 'running') return { kind: 'running' }
    return { kind: 'done', result: new Uint8Array(Buffer.from(lease.result, 'base64')) }
  }
}
