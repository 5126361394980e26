import { randomUUID } from 'node:crypto'
import type { RedisConnection } from '../../redis/redisConnection.ts'
import type { CacheDriver } from '../cacheDriver.ts'

// Past this, others no longer wait: the computation hangs.
const longestHoldMs = 30_000

/**
 * Makes locks in Redis, held longer as long as their process lives. While Redis is away each
 * process computes for itself.
 */
export function createRedisLocks(connection: RedisConnection, prefix: string): CacheDriver['lock'] {
  return async (name, ttlMs) => {
    const key = `${prefix}:lock:${name}`
    const token = randomUUID()
    const ttl = String(ttlMs)
    const isTaken = await connection.run(
      false,
      async (send) => (await send(key, 'SET', key, token, 'NX', 'PX', ttl)) === null,
    )
    if (isTaken) return null
    const held = { key, value: token }
    const heldSinceMs = Date.now()
    const renewing = setInterval(() => {
      if (Date.now() - heldSinceMs > longestHoldMs) return clearInterval(renewing)
      void renewOwnedKey(connection, held, ttlMs)
    }, ttlMs / 3)
    renewing.unref()
    return async () => {
      clearInterval(renewing)
      await releaseOwnedKey(connection, held)
    }
  }
}

/** A key that is somebody's as long as it has their value. */
export type OwnedKey = { readonly key: string; readonly value: string }

// Only its holder may let go of a key, or hold it longer.
const releaseScript =
  "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0"
const renewScript =
  "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('PEXPIRE', KEYS[1], ARGV[2]) end return 0"

/** Holds a key for longer. */
export async function renewOwnedKey(
  connection: RedisConnection,
  { key, value }: OwnedKey,
  ttlMs: number,
): Promise<void> {
  const ttl = String(ttlMs)
  await connection.run(null, (send) => send(key, 'EVAL', renewScript, '1', key, value, ttl))
}

/** Lets go of a key. */
export async function releaseOwnedKey(
  connection: RedisConnection,
  { key, value }: OwnedKey,
): Promise<void> {
  await connection.run(null, (send) => send(key, 'EVAL', releaseScript, '1', key, value))
}
