import { randomUUID } from 'node:crypto'
import {
  type CacheDriver,
  decodeCacheEntry,
  encodeCacheEntry,
  type Lease,
  resultEntry,
  servableEntry,
} from 'waymark/drivers'
import { connectToRedis } from './connectToRedis.ts'
import type { RedisAddress } from './redisAddress.ts'
import type { RedisConnection } from './redisConnection.ts'
import { createEntryBudget } from './redisEntryBudget.ts'
import { createRedisInvalidations } from './redisInvalidations.ts'
import { decodeStoredBytes } from './storedBytes.ts'

/** Options of a cache in Redis or Valkey. */
export type RedisCacheOptions = {
  readonly address: RedisAddress
  /**
   * Logs a line when Redis becomes unavailable, when it is available again, and for each unreadable
   * entry.
   */
  readonly log?: (line: string) => void
  /** Time limit of a command. Default: 500 ms over TCP, and 1 s over HTTP. */
  readonly timeoutMs?: number
  /**
   * Time after which every server knows an invalidation, even if its message was lost. Over HTTP, which
   * has no messages, requests wait for a look at Redis once the previous look is older. With 0, each
   * request waits. Default: 1 s.
   */
  readonly catchUpMs?: number
  /** Time after which the leases of a killed process expire. Default: 30 s. */
  readonly leaseMs?: number
  /** Maximum bytes of the entries of all processes with this prefix. Default: 512 MB. */
  readonly maxBytes?: number
}

// Expiry for entries without an expiry time. Otherwise, entries from old builds would stay forever.
const longestMs = 30 * 24 * 3_600_000

/** Creates a driver that stores entries in Redis, for all replicas with the same address. */
export async function createRedisCache(options: RedisCacheOptions): Promise<CacheDriver> {
  const { address, timeoutMs, catchUpMs = 1_000, leaseMs, maxBytes = 512 * 2 ** 20 } = options
  const log = options.log ?? ((line: string) => console.error(line))
  const meanwhile = 'Until it is available again, each process caches in its own memory.'
  const connection = await connectToRedis({ address, log, meanwhile, timeoutMs })
  const invalidations = createRedisInvalidations({
    connection,
    prefix: address.prefix,
    catchUpMs,
  })
  await invalidations.readNew()
  const budget = createEntryBudget(connection, address.prefix, maxBytes)

  const nameOf = (key: string) => `${address.prefix}:entry:${key}`

  function run(command: string, key: string, ...args: (string | Buffer)[]): Promise<unknown> {
    const name = nameOf(key)
    return connection.run<unknown>(null, (send) => send(name, command, name, ...args))
  }

  return {
    async get(key) {
      const bytes = (await run('GET', key)) as Buffer | null
      if (bytes === null) return null
      budget.onRead(key)
      const entry = decodeCacheEntry(decodeStoredBytes(bytes))
      if (entry) return servableEntry(entry, invalidations.freshness(entry), Date.now())
      log(`The cache entry ${key} in Redis can't be read. It is computed again.`)
      void run('DEL', key)
      return null
    },
    async set(key, entry) {
      const { expireAtMs } = entry
      const leftMs = expireAtMs === null ? longestMs : Math.min(expireAtMs - Date.now(), longestMs)
      if (leftMs < 1) return
      const bytes = encodeCacheEntry(entry)
      // Don't store a very large entry, because it would evict too many others.
      if (bytes.byteLength > maxBytes / 8) return
      await run('SET', key, bytes, 'PX', String(Math.ceil(leftMs)))
      const evicted = await budget.add(key, bytes.byteLength)
      if (evicted.length === 0) return
      await connection.run<unknown>(null, (send) =>
        Promise.all(evicted.map(nameOf).map((name) => send(name, 'DEL', name))),
      )
    },
    async delete(key) {
      await run('DEL', key)
    },
    invalidate: invalidations.send,
    position: invalidations.position,
    freshnessByTags: invalidations.freshness,
    onInvalidated: invalidations.onInvalidated,
    isBehind: invalidations.isBehind,
    catchUp: invalidations.catchUp,
    lease: createRedisLeases(connection, address.prefix, { log, leaseMs }),
    async close() {
      invalidations.close()
      await connection.close()
    },
  }
}

/** Options for leases. `log` receives a line for each result that can't be read. */
type LeaseOptions = {
  readonly log: (line: string) => void
  readonly leaseMs?: number | undefined
}

const runningMark = 'running:'

// Builds a script that runs a command only for a key's owner, because nobody else may delete or renew
// the key.
const ownedOnly = (command: string) =>
  `if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call(${command}) end return 0`
const releaseScript = ownedOnly("'DEL', KEYS[1]")
const renewScript = ownedOnly("'PEXPIRE', KEYS[1], ARGV[2]")

/**
 * Stores each lease in Redis under one key, whose value is the lease's owner and later the result.
 * Taking a lease and storing its result take one command each. While Redis is unavailable, each process
 * works alone.
 */
function createRedisLeases(
  connection: RedisConnection,
  prefix: string,
  { log, leaseMs: defaultMs = 30_000 }: LeaseOptions,
) {
  /** @returns the stored value; `null` if the key was free and the caller now owns it */
  async function acquire(key: string, value: string, px: string): Promise<Buffer | 'gone' | null> {
    return connection.run<Buffer | 'gone' | null>(null, async (send) => {
      if ((await send(key, 'SET', key, value, 'NX', 'PX', px)) !== null) return null
      const stored = (await send(key, 'GET', key)) as Buffer | null
      // If the stored value is the caller's own, the command ran twice because its connection broke, and
      // the caller owns the key.
      if (stored?.equals(Buffer.from(value))) return null
      return stored ?? 'gone'
    })
  }

  function createLease(key: string, value: string, ttlMs: number, leaseMs: number): Lease {
    const endsAtMs = Date.now() + ttlMs
    let storedUntilMs: number | null = null
    const evaluate = (script: string, ...args: string[]) =>
      connection.run(null, (send) => send(key, 'EVAL', script, '1', key, value, ...args))
    const renewing = setInterval(() => {
      if (Date.now() > endsAtMs) clearInterval(renewing)
      else void evaluate(renewScript, String(leaseMs))
    }, leaseMs / 3)
    renewing.unref()
    return {
      kind: 'ours',
      async complete(result) {
        clearInterval(renewing)
        const now = Date.now()
        storedUntilMs ??= now + ttlMs
        const leftMs = storedUntilMs - now
        // Don't write after the lease has expired, because the key may already belong to a different
        // process.
        if (leftMs < 1) return
        const bytes = encodeCacheEntry(resultEntry(result, now, leftMs))
        await connection.run(null, (send) => send(key, 'SET', key, bytes, 'PX', String(leftMs)))
      },
      async withdraw() {
        if (storedUntilMs === null || storedUntilMs <= Date.now()) return
        storedUntilMs = 0
        await connection.run(null, (send) => send(key, 'DEL', key))
      },
      async release() {
        clearInterval(renewing)
        await evaluate(releaseScript)
      },
    }
  }

  return async (name: string, ttlMs: number, leaseMs = defaultMs): Promise<Lease> => {
    const key = `${prefix}:lease:${name}`
    const value = `${runningMark}${randomUUID()}`
    const stored = await acquire(key, value, String(leaseMs))
    if (stored === null) return createLease(key, value, ttlMs, leaseMs)
    // Report the lease as running even if its owner has just released it, because the next caller may
    // take it.
    if (stored === 'gone' || stored.toString('latin1', 0, runningMark.length) === runningMark) {
      return { kind: 'running' }
    }
    const result = decodeCacheEntry(decodeStoredBytes(stored))?.value ?? null
    if (!result) log(`The result of ${name} in Redis can't be read.`)
    return { kind: 'done', result }
  }
}
