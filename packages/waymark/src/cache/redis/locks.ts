import { randomUUID } from 'node:crypto'
import type { RedisConnection } from '../../redis/connection.ts'
import type { CacheDriver } from '../driver.ts'
import { releaseOwnedKey, renewOwnedKey } from './held.ts'

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
