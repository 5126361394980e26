import { randomUUID } from 'node:crypto'
import type { RedisConnection } from '../../redis/redisConnection.ts'
import type { Lease } from '../cacheDriver.ts'
import { resultEntry } from '../cacheEntry.ts'
import { decodeEntry, encodeEntry } from '../entryCodec.ts'

export type RedisLeasesOptions = {
  readonly connection: RedisConnection
  readonly prefix: string
  /** Logs results that can't be read. */
  readonly log: (line: string) => void
  readonly leaseMs?: number | undefined
}

const runningMark = 'running:'

// Only its owner may delete a key, or renew it.
const ownedOnly = (command: string) =>
  `if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call(${command}) end return 0`
const releaseScript = ownedOnly("'DEL', KEYS[1]")
const renewScript = ownedOnly("'PEXPIRE', KEYS[1], ARGV[2]")

/**
 * Stores leases in Redis, one key each: its owner, then the result. A lease and its result take a
 * command each. While Redis is away each process goes on by itself.
 */
export function createRedisLeases(options: RedisLeasesOptions) {
  const { connection, prefix, log, leaseMs: defaultMs = 30_000 } = options

  /** @returns what is there already; `null` for nothing: the key is the caller's now */
  async function acquire(key: string, value: string, px: string): Promise<Buffer | 'gone' | null> {
    return connection.run<Buffer | 'gone' | null>(null, async (send) => {
      if ((await send(key, 'SET', key, value, 'NX', 'PX', px)) !== null) return null
      return ((await send(key, 'GET', key)) as Buffer | null) ?? 'gone'
    })
  }

  function ownLease(key: string, value: string, ttlMs: number, leaseMs: number): Lease {
    const endsAtMs = Date.now() + ttlMs
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
        const bytes = encodeEntry(resultEntry(result, Date.now(), ttlMs))
        await connection.run(null, (send) => send(key, 'SET', key, bytes, 'PX', String(ttlMs)))
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
    const found = await acquire(key, value, String(leaseMs))
    if (found === null) return ownLease(key, value, ttlMs, leaseMs)
    // Between the two commands its owner has released it: the next who asks may have it.
    if (found === 'gone' || found.toString('latin1', 0, runningMark.length) === runningMark) {
      return { kind: 'running' }
    }
    const result = decodeEntry(found)?.value ?? null
    if (!result) log(`The result of ${name} in Redis can't be read.`)
    return { kind: 'done', result }
  }
}
