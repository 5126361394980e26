import type { RedisConnection } from './redisConnection.ts'

/**
 * Memory that Redis needs for an entry in addition to its value: for the key, and for the key's place in
 * the budget's lists.
 */
const overheadBytes = 400

// Maximum number of evictions for which one write waits, because each eviction is a separate command.
const maxEvicted = 200

// KEYS: the times, the sizes and the sum. ARGV: the entry, the entry's bytes, the time, the maximum sum
// and the maximum evictions. Returns the entries to delete, because a cluster stores them on other
// servers.
const addScript = `
local before = tonumber(redis.call('HGET', KEYS[2], ARGV[1]) or '0')
redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
redis.call('ZADD', KEYS[1], ARGV[3], ARGV[1])
local sum = redis.call('INCRBY', KEYS[3], ARGV[2] - before)
local evicted = {}
while sum > tonumber(ARGV[4]) and #evicted < tonumber(ARGV[5]) do
  local oldest = redis.call('ZPOPMIN', KEYS[1])[1]
  if not oldest then break end
  sum = redis.call('DECRBY', KEYS[3], redis.call('HGET', KEYS[2], oldest) or 0)
  redis.call('HDEL', KEYS[2], oldest)
  table.insert(evicted, oldest)
end
return evicted
`

// Every eighth read marks its entry as recently used.
const readsPerTouch = 8

/**
 * Limits the memory that all processes together use in Redis, by deleting the entries that were unused
 * for longest. Without a limit, a client with made-up URLs could fill Redis, which would then evict
 * data that must not be lost: the keys of actions that ran.
 */
export function createEntryBudget(connection: RedisConnection, prefix: string, maxBytes: number) {
  // The keys share a hash tag, so that a cluster stores them on one server.
  const key = (name: string) => `${prefix}:{entries}:${name}`
  const times = key('times')
  const sizes = key('sizes')
  const sum = key('bytes')
  let reads = 0

  return {
    /** @returns names of the entries to delete */
    async add(name: string, bytes: number): Promise<readonly string[]> {
      const values = [name, bytes + overheadBytes, Date.now(), maxBytes, maxEvicted].map(String)
      const evicted = await connection.run<unknown>([], (send) =>
        send(times, 'EVAL', addScript, '3', times, sizes, sum, ...values),
      )
      return (evicted as readonly (Buffer | string)[]).map(String)
    },
    onRead(name: string): void {
      if (++reads % readsPerTouch > 0) return
      const now = String(Date.now())
      void connection.run<unknown>(null, (send) => send(times, 'ZADD', times, 'XX', now, name))
    },
  }
}
