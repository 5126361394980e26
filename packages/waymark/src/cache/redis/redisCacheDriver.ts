import { randomUUID } from 'node:crypto'
import type { RedisAddress } from '../../redis/redisAddress.ts'
import { connectToRedis } from '../../redis/redisConnection.ts'
import type { CacheDriver, CacheEntry } from '../cacheDriver.ts'
import { freshness } from '../cacheEntry.ts'
import { decodeEntry, encodeEntry } from '../entryCodec.ts'
import { createInvalidationLog } from './redisInvalidations.ts'
import { createRedisLeases } from './redisLeases.ts'
import { createRedisLocks } from './redisLocks.ts'

/** A cache in Redis or Valkey. */
export type RedisDriverOptions = {
  readonly address: RedisAddress
  /** Hears once that Redis is away, once that it is back, and of entries that can't be read. */
  readonly log?: (line: string) => void
  /** Of a command; default 500 ms. */
  readonly timeoutMs?: number
  /** How often invalidations are looked for that nobody told of; default 1 s. */
  readonly catchUpMs?: number
  /** A process that was not heard of for so long loses what it has leased; default 30 s. */
  readonly leaseMs?: number
}

// Entries without an end of their own: those of builds of the past would stay for ever.
const longestMs = 30 * 24 * 3_600_000

/**
 * Makes a driver that keeps entries in Redis, for all replicas that have the same address.
 * @throws `REDIS_NOT_INSTALLED`
 */
export async function createRedisDriver(options: RedisDriverOptions): Promise<CacheDriver> {
  const { address, timeoutMs, catchUpMs = 1_000 } = options
  const log = options.log ?? ((line: string) => console.error(line))
  const meanwhile = 'The cache goes on in the memory of each process.'
  const connection = await connectToRedis({ address, log, meanwhile, timeoutMs })
  const { prefix } = address
  const invalidations = createInvalidationLog({ connection, prefix, catchUpMs, self: randomUUID() })
  await invalidations.isRead
  const locks = createRedisLocks(connection, prefix)
  const keyOf = (key: string) => `${prefix}:entry:${key}`

  function decode(key: string, bytes: Buffer): CacheEntry | null {
    const entry = decodeEntry(bytes)
    if (entry) return entry
    log(`The cache entry ${key} in Redis can't be read, and is computed anew.`)
    void connection.run(null, (send) => send(keyOf(key), 'DEL', keyOf(key)))
    return null
  }

  return {
    name: 'redis',
    async get(key) {
      const bytes = await connection.run(null, (send) => send(keyOf(key), 'GET', keyOf(key)))
      const entry = bytes === null ? null : decode(key, bytes as Buffer)
      if (!entry || freshness(entry, Date.now()) === 'expired') return null
      switch (invalidations.freshness(entry)) {
        case 'fresh':
          return entry
        case 'stale':
          return { ...entry, revalidateAtMs: 0 }
        case 'expired':
          return null
      }
    },
    async set(key, entry) {
      const { expireAtMs } = entry
      const leftMs = expireAtMs === null ? longestMs : Math.min(expireAtMs - Date.now(), longestMs)
      if (leftMs < 1) return
      const bytes = encodeEntry(entry)
      const px = String(Math.ceil(leftMs))
      await connection.run(null, (send) => send(keyOf(key), 'SET', keyOf(key), bytes, 'PX', px))
    },
    async delete(key) {
      await connection.run(null, (send) => send(keyOf(key), 'DEL', keyOf(key)))
    },
    invalidate: invalidations.invalidate,
    position: invalidations.position,
    onInvalidated: invalidations.onInvalidated,
    lock: locks,
    lease: createRedisLeases({ connection, prefix, log, leaseMs: options.leaseMs }),
    async close() {
      invalidations.close()
      await connection.close()
    },
  }
}
