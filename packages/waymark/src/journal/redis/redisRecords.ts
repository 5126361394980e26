import type { SendCommand } from '../../redis/redisConnection.ts'

/** The keys of a journal. They share a hash tag: a cluster keeps them on one server. */
export type JournalNames = {
  /** Lines by id. */
  readonly lines: string
  /** Ids by time. */
  readonly times: string
  /** Ids in the order of their digests, with which they begin. */
  readonly digests: string
}

/** A line that is written. */
export type WrittenRecord = {
  readonly line: string
  readonly timeMs: number
  /** Begins with the digest, or with `alike`, and a slash. */
  readonly id: string
}

/** What is kept. */
export type RecordLimits = {
  readonly maxRecords: number
  /** What is older goes. */
  readonly oldestMs: number
}

/** Names the keys of an app's journal. */
export function journalNames(prefix: string): JournalNames {
  const name = (end: string) => `${prefix}:{journal}:${end}`
  return { lines: name('lines'), times: name('times'), digests: name('digests') }
}

const append = `
for at = 3, #ARGV, 3 do
  redis.call('HSET', KEYS[1], ARGV[at], ARGV[at + 2])
  redis.call('ZADD', KEYS[2], ARGV[at + 1], ARGV[at])
  redis.call('ZADD', KEYS[3], 0, ARGV[at])
end
local old = redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', '(' .. ARGV[2], 'LIMIT', 0, 1000)
local over = redis.call('ZCARD', KEYS[2]) - #old - tonumber(ARGV[1])
if over > 0 then
  for _, id in ipairs(redis.call('ZRANGE', KEYS[2], #old, #old + over - 1)) do old[#old + 1] = id end
end
for _, id in ipairs(old) do
  redis.call('HDEL', KEYS[1], id)
  redis.call('ZREM', KEYS[2], id)
  redis.call('ZREM', KEYS[3], id)
end
return #old
`

/** Writes lines; the oldest make room. */
export async function appendRecords(
  send: SendCommand,
  { lines, times, digests }: JournalNames,
  records: readonly WrittenRecord[],
  limits: RecordLimits,
): Promise<void> {
  const values = records.flatMap(({ id, timeMs, line }) => [id, String(timeMs), line])
  const bounds = [String(limits.maxRecords), String(limits.oldestMs)]
  await send(lines, 'EVAL', append, '3', lines, times, digests, ...bounds, ...values)
}

const pageSize = 200

/**
 * Reads lines, the newest first.
 * @param wanted older ones are of no use; it changes with what was read
 */
export async function readAll(
  send: SendCommand,
  { lines, times }: JournalNames,
  onLine: (line: string) => void,
  wanted: { readonly enoughBeforeMs: number },
): Promise<null> {
  for (let start = 0; ; start += pageSize) {
    const stop = String(start + pageSize - 1)
    const page = (await send(
      times,
      'ZRANGE',
      times,
      String(start),
      stop,
      'REV',
      'WITHSCORES',
    )) as Buffer[]
    if (page.length === 0) return null
    const ids = page.filter((_, at) => at % 2 === 0)
    const found = (await send(lines, 'HMGET', lines, ...ids)) as (Buffer | null)[]
    for (const line of found) if (line) onLine(String(line))
    if (Number(page.at(-1)) < wanted.enoughBeforeMs) return null
  }
}

/** Reads the lines that may hold a digest. */
export async function readByDigest(
  send: SendCommand,
  { lines, digests }: JournalNames,
  digest: string,
): Promise<string[]> {
  const found: string[] = []
  // What was too much to be kept whole has lists of digests, and there is little of it.
  for (const name of [digest, 'alike']) {
    // '0' is the character after '/'.
    const range = [`[${name}/`, `(${name}0`]
    const ids = (await send(digests, 'ZRANGE', digests, ...range, 'BYLEX')) as Buffer[]
    for (let at = 0; at < ids.length; at += pageSize) {
      const page = (await send(lines, 'HMGET', lines, ...ids.slice(at, at + pageSize))) as Buffer[]
      for (const line of page) if (line?.includes(digest)) found.push(String(line))
    }
  }
  return found
}
