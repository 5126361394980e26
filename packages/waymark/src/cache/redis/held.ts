import type { RedisConnection } from '../../redis/connection.ts'

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
