import { randomUUID } from 'node:crypto'
import {
  createLineQueue,
  createStoredJournal,
  decodeRecord,
  type JournalDriver,
  type JournalRecord,
  type LineQuery,
} from 'waymark/drivers'
import { connectToRedis } from './connectToRedis.ts'
import type { RedisAddress } from './redisAddress.ts'
import type { SendCommand } from './redisConnection.ts'

/** Options of a journal in Redis or Valkey. */
export type RedisJournalOptions = {
  readonly address: RedisAddress
  /** Called once when the journal can't be written, and once when it can be written again. */
  readonly log?: (line: string) => void
  /** Maximum number of records. The oldest are deleted. Default: 10,000. */
  readonly maxRecords?: number
  /** Days for which records are stored. Default: 14. */
  readonly maxDays?: number
  /** Milliseconds for which entries are gathered, so that several are written together. Default: 50. */
  readonly batchMs?: number
  readonly now?: () => number
}

const readMs = 10_000
const dayMs = 86_400_000
// Maximum total length of waiting lines, in UTF-16 code units.
const maxWaiting = 4 * 2 ** 20

/**
 * Creates a journal that all replicas with the same address share. While Redis is unavailable, entries
 * wait in memory, up to a limit.
 */
export async function createRedisJournal({
  address,
  log = (line) => console.error(line),
  maxRecords = 10_000,
  maxDays = 14,
  batchMs = 50,
  now = Date.now,
}: RedisJournalOptions): Promise<JournalDriver> {
  const keys = journalKeys(address.prefix)
  let reason = 'Redis is unavailable'
  // Store the reason only: the queue logs the lost connection together with the lost entries.
  const connection = await connectToRedis({
    address,
    meanwhile: '',
    log: (line) => {
      reason = line.trim().replace(/\.$/, '')
    },
  })

  const queue = createLineQueue({
    async append(lines, ofStrangers) {
      const oldest = now() - maxDays * dayMs
      const maxStrangers = Math.ceil(maxRecords / 2)
      const limits = [maxRecords, oldest, maxStrangers, Number(ofStrangers)].map(String)
      const values = [...limits, ...lines.flatMap(valuesOf)]
      const count = await connection.run(0, async (send) => {
        const { lines: key, times, digests, strangers } = keys
        await send(key, 'EVAL', append, '4', key, times, digests, strangers, ...values)
        return lines.length
      })
      return { count, error: count === 0 ? new Error(reason) : null }
    },
    log,
    batchMs,
    maxWaiting,
    maxBatch: maxWaiting / 16,
  })

  return createStoredJournal({
    ...queue,
    async read(query, onLine) {
      queue.waiting().forEach(onLine)
      const read = query.digest === undefined ? readNewestFirst : readByDigest
      const readIds = new Set<string>()
      const reading = { keys, query, onLine, readIds }
      await connection.run(null, (send) => read(send, reading), readMs)
    },
    close: () => queue.close().then(connection.close),
  })
}

type JournalKeys = {
  /** Lines by id. An id begins with the error's digest or with `alike`, followed by a slash. */
  readonly lines: string
  /** Ids sorted by time. */
  readonly times: string
  /** Ids sorted by name. */
  readonly digests: string
  /** Ids of records that strangers can cause, sorted by time. These records get half of the space. */
  readonly strangers: string
}

// The keys share a hash tag, so that a cluster stores them on one server.
function journalKeys(prefix: string): JournalKeys {
  const key = (name: string) => `${prefix}:{journal}:${name}`
  return {
    lines: key('lines'),
    times: key('times'),
    digests: key('digests'),
    strangers: key('strangers'),
  }
}

/** Returns a line's id and time and the line itself, in the order that the script expects. */
function valuesOf(line: string): [string, string, string] {
  // Cast the record, because the queue contains only lines that `encodeRecord` wrote.
  const record = decodeRecord(line) as JournalRecord
  const [name, timeMs] =
    record.kind === 'error' ? [record.digest, record.timeMs] : [record.kind, record.toMs]
  return [`${name}/${randomUUID()}`, String(timeMs), line]
}

// KEYS: those listed in `JournalKeys`. ARGV: maximum number of records, oldest time, maximum number of
// records from strangers, 1 if these lines come from strangers, and the values.
const append = `
for at = 5, #ARGV, 3 do
  redis.call('HSET', KEYS[1], ARGV[at], ARGV[at + 2])
  redis.call('ZADD', KEYS[2], ARGV[at + 1], ARGV[at])
  redis.call('ZADD', KEYS[3], 0, ARGV[at])
  if ARGV[4] == '1' then redis.call('ZADD', KEYS[4], ARGV[at + 1], ARGV[at]) end
end
local function drop(ids)
  for _, id in ipairs(ids) do
    redis.call('HDEL', KEYS[1], id)
    for key = 2, 4 do redis.call('ZREM', KEYS[key], id) end
  end
end
drop(redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', '(' .. ARGV[2], 'LIMIT', 0, 1000))
drop(redis.call('ZRANGE', KEYS[4], 0, -1 - ARGV[3]))
drop(redis.call('ZRANGE', KEYS[2], 0, -1 - ARGV[1]))
`

const pageSize = 200

type Reading = {
  readonly keys: JournalKeys
  readonly query: LineQuery
  readonly onLine: (line: string) => void
  /** Ids of the lines that were read. If the connection breaks, reading starts again and skips these lines. */
  readonly readIds: Set<string>
}

type ReadLines = (send: SendCommand, reading: Reading) => Promise<null>

const readNewestFirst: ReadLines = async (send, reading) => {
  const { times } = reading.keys
  for (let start = 0; ; start += pageSize) {
    const range = [String(start), String(start + pageSize - 1), 'REV', 'WITHSCORES']
    const page = (await send(times, 'ZRANGE', times, ...range)) as Buffer[]
    if (page.length === 0) return null
    const ids = page.filter((_, at) => at % 2 === 0)
    await readLines(send, reading, ids)
    if (Number(page.at(-1)) < reading.query.enoughBeforeMs) return null
  }
}

const readByDigest: ReadLines = async (send, reading) => {
  const { digests } = reading.keys
  // Read the list of `alike` as well, which contains the records of similar errors.
  for (const name of [reading.query.digest, 'alike']) {
    // End the range at '0', the character after '/'.
    const range = [`[${name}/`, `(${name}0`, 'BYLEX']
    const ids = (await send(digests, 'ZRANGE', digests, ...range)) as Buffer[]
    for (let at = 0; at < ids.length; at += pageSize) {
      await readLines(send, reading, ids.slice(at, at + pageSize))
    }
  }
  return null
}

async function readLines(
  send: SendCommand,
  { keys: { lines }, onLine, readIds }: Reading,
  ids: readonly Buffer[],
): Promise<void> {
  const unread = ids.map(String).filter((id) => !readIds.has(id))
  if (unread.length === 0) return
  // Expect missing lines, because an entry may have been deleted since its id was read.
  const unreadLines = (await send(lines, 'HMGET', lines, ...unread)) as (Buffer | null)[]
  for (const id of unread) readIds.add(id)
  for (const line of unreadLines) if (line) onLine(String(line))
}
