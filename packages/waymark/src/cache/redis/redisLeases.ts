import { randomUUID } from 'node:crypto'
import type { RedisConnection } from '../../redis/redisConnection.ts'
import type { CacheDriver, Lease } from '../cacheDriver.ts'
import { decodeEntry, encodeEntry } from '../entryCodec.ts'
import { releaseOwnedKey, renewOwnedKey } from './redisLocks.ts'

/** What leases in Redis need. */
export type RedisLeasesOptions = {
  readonly connection: RedisConnection
  readonly prefix: string
  /** Hears of results that can't be read. */
  readonly log: (line: string) => void
  /** Whoever was not heard of for so long is gone; default 30 s. */
  readonly leaseMs?: number | undefined
}

const runningMark = 'running:'

/**
 * Keeps leases in Redis, one key each: who is at it, then the result. A lease and its result take
 * a command each. While Redis is away each process goes on by itself.
 */
export function createRedisLeases(options: RedisLeasesOptions): CacheDriver['lease'] {
  const { connection, prefix, leaseMs = 30_000 } = options

  /** @returns what is there already; `null` for nothing: it is taken now */
  async function take(key: string, value: string): Promise<Buffer | 'gone' | null> {
    const lease = String(leaseMs)
    return connection.run<Buffer | 'gone' | null>(null, async (send) => {
      if ((await send(key, 'SET', key, value, 'NX', 'PX', lease)) !== null) return null
      return ((await send(key, 'GET', key)) as Buffer | null) ?? 'gone'
    })
  }

  function ours(key: string, value: string, ttlMs: number): Lease {
    const untilMs = Date.now() + ttlMs
    const renewing = setInterval(() => {
      if (Date.now() > untilMs) return clearInterval(renewing)
      void renewOwnedKey(connection, { key, value }, leaseMs)
    }, leaseMs / 3)
    renewing.unref()
    return {
      kind: 'ours',
      async complete(result) {
        clearInterval(renewing)
        const bytes = encodeEntry(entryOf(result))
        const px = String(ttlMs)
        await connection.run(null, (send) => send(key, 'SET', key, bytes, 'PX', px))
      },
      async release() {
        clearInterval(renewing)
        await releaseOwnedKey(connection, { key, value })
      },
    }
  }

  return async (name, ttlMs) => {
    const key = `${prefix}:lease:${name}`
    const value = `${runningMark}${randomUUID()}`
    const there = await take(key, value)
    if (there === null) return ours(key, value, ttlMs)
    // Between the two commands its holder has let go of it: whoever asks again may have it.
    if (there === 'gone' || there.toString('latin1', 0, runningMark.length) === runningMark) {
      return { kind: 'running' }
    }
    const result = decodeEntry(there)?.value ?? null
    if (!result) options.log(`What was kept for ${name} in Redis can't be read.`)
    return { kind: 'done', result }
  }
}

function entryOf(value: Uint8Array) {
  const never = { revalidateAtMs: null, expireAtMs: null }
  return { value, tags: [], storedAtMs: 0, ...never, position: 0 }
}
