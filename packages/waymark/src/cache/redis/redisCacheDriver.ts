import type { RedisAddress } from '../../redis/redisAddress.ts'
import { connectToRedis } from '../../redis/redisConnection.ts'
import type { CacheDriver } from '../cacheDriver.ts'
import { servableEntry } from '../cacheEntry.ts'
import { decodeEntry, encodeEntry } from '../entryCodec.ts'
import { createRedisInvalidations } from './redisInvalidations.ts'
import { createRedisLeases } from './redisLeases.ts'

/** A cache in Redis or Valkey. */
export type RedisDriverOptions = {
  readonly address: RedisAddress
  /** Logs once that Redis is away, once that it is back, and entries that can't be read. */
  readonly log?: (line: string) => void
  /** Of a command; default 500 ms. */
  readonly timeoutMs?: number
  /** How often invalidations are looked for whose message was lost; default 1 s. */
  readonly catchUpMs?: number
  /** A process that is killed loses what it has leased within this time; default 30 s. */
  readonly leaseMs?: number
}

// Entries without an end of their own: those of builds of the past would stay for ever.
const longestMs = 30 * 24 * 3_600_000

/**
 * Creates a driver that stores entries in Redis, for all replicas that have the same address.
 * @throws `REDIS_NOT_INSTALLED`
 */
export async function createRedisDriver(options: RedisDriverOptions): Promise<CacheDriver> {
  const { address, timeoutMs, catchUpMs = 1_000, leaseMs } = options
  const log = options.log ?? ((line: string) => console.error(line))
  const meanwhile = 'The cache goes on in the memory of each process.'
  const connection = await connectToRedis({ address, log, meanwhile, timeoutMs })
  const { prefix } = address
  const invalidations = createRedisInvalidations({ connection, prefix, catchUpMs })
  await invalidations.readNew()

  function run(command: string, key: string, ...args: (string | Buffer)[]): Promise<unknown> {
    const name = `${prefix}:entry:${key}`
    return connection.run<unknown>(null, (send) => send(name, command, name, ...args))
  }

  return {
    async get(key) {
      const bytes = (await run('GET', key)) as Buffer | null
      if (bytes === null) return null
      const entry = decodeEntry(bytes)
      if (entry) return servableEntry(entry, invalidations.freshness(entry), Date.now())
      log(`The cache entry ${key} in Redis can't be read, and is computed again.`)
      void run('DEL', key)
      return null
    },
    async set(key, entry) {
      const { expireAtMs } = entry
      const leftMs = expireAtMs === null ? longestMs : Math.min(expireAtMs - Date.now(), longestMs)
      if (leftMs < 1) return
      await run('SET', key, encodeEntry(entry), 'PX', String(Math.ceil(leftMs)))
    },
    async delete(key) {
      await run('DEL', key)
    },
    invalidate: invalidations.send,
    position: invalidations.position,
    freshnessByTags: invalidations.freshness,
    onInvalidated: invalidations.onInvalidated,
    lease: createRedisLeases({ connection, prefix, log, leaseMs }),
    async close() {
      invalidations.close()
      await connection.close()
    },
  }
}
