import { randomUUID } from 'node:crypto'
import type { RedisAddress } from '../../redis/redisAddress.ts'
import { connectToRedis, type RedisConnection } from '../../redis/redisConnection.ts'
import { createLineQueue, type LineQueue } from '../files/appendLines.ts'
import type { JournalDriver } from '../journalDriver.ts'
import type { JournalEntry } from '../journalEntry.ts'
import {
  chooseMatch,
  collectEntries,
  collectGroups,
  holdsDigest,
  type QueryCollector,
} from '../query.ts'
import { type AggregateRecord, decodeRecord, encodeRecord, type JournalRecord } from '../record.ts'
import {
  appendRecords,
  type JournalNames,
  journalNames,
  type RecordLimits,
  readAll,
  readByDigest,
  type WrittenRecord,
} from './redisRecords.ts'

/** A journal in Redis or Valkey. */
export type RedisJournalOptions = {
  readonly address: RedisAddress
  /** Hears once that the journal can't be written, and once that it can again. */
  readonly log?: (line: string) => void
  /** Default 10,000; the oldest make room. */
  readonly maxRecords?: number
  /** Default 14. */
  readonly maxDays?: number
  /** How long an entry waits for others to be written with; default 50 ms. */
  readonly batchMs?: number
  readonly now?: () => number
}

const readMs = 10_000

/**
 * Makes a journal that all replicas with the same address share. While Redis is away entries wait
 * in memory, in bounds.
 * @throws `REDIS_NOT_INSTALLED`
 */
export async function createRedisJournal(options: RedisJournalOptions): Promise<JournalDriver> {
  const { address, maxRecords = 10_000, maxDays = 14, batchMs = 50, now = Date.now } = options
  const log = options.log ?? ((line: string) => console.error(line))
  const names = journalNames(address.prefix)
  let trouble = ''
  // The queue tells of it, with what was lost.
  const connection = await connectToRedis({
    address,
    meanwhile: '',
    log: (line) => {
      trouble = line.trim().replace(/\.$/, '')
    },
  })
  const queue = createRecordQueue({
    connection,
    names,
    log,
    batchMs,
    reason: () => trouble,
    limits: () => ({ maxRecords, oldestMs: now() - maxDays * 86_400_000 }),
  })

  async function collect<Result>(collector: QueryCollector<Result>): Promise<Result> {
    await queue.flush()
    for (const line of queue.waiting()) take(collector, line)
    await connection.run(
      null,
      (send) => readAll(send, names, (line) => take(collector, line), collector),
      readMs,
    )
    return collector.result()
  }

  const recordsWith = async (digest: string): Promise<JournalRecord[]> => {
    const lines = await connection.run([], (send) => readByDigest(send, names, digest), readMs)
    return [...queue.waiting(), ...lines].flatMap((line) => toRecord(line, digest))
  }

  return {
    write(record) {
      const line = encodeRecord(record)
      if (line !== null) queue.push(line)
    },
    list: (filter) => collect(collectEntries(filter)),
    groups: (filter) => collect(collectGroups(filter)),
    async find(digest) {
      await queue.flush()
      const records = await recordsWith(digest)
      const alike = records.find(isAlike) ?? null
      const examples = alike?.example ? await recordsWith(alike.example) : []
      return chooseMatch(
        { entries: records.filter(isEntry), alike },
        examples.find(isEntry) ?? null,
      )
    },
    flush: () => queue.flush(),
    close: () => queue.close().then(connection.close),
  }
}

function toRecord(line: string, digest: string): JournalRecord[] {
  const record = line.includes(digest) ? decodeRecord(line) : null
  return record && holdsDigest(record, digest) ? [record] : []
}

function take(collector: QueryCollector<unknown>, line: string): void {
  const record = decodeRecord(line)
  if (record) collector.take(record)
}

function isEntry(record: JournalRecord): record is JournalEntry {
  return record.kind === 'error'
}

function isAlike(record: JournalRecord): record is AggregateRecord {
  return record.kind === 'alike'
}

/** What the queue needs. */
export type RecordQueueOptions = {
  readonly connection: RedisConnection
  readonly names: JournalNames
  readonly log: (line: string) => void
  readonly batchMs: number
  /** Why Redis is away. */
  readonly reason: () => string
  readonly limits: () => RecordLimits
}

// In UTF-16 units.
const maxWaiting = 4 * 2 ** 20

/** Makes a queue of lines on their way to Redis. While that is away they wait, in bounds. */
export function createRecordQueue(options: RecordQueueOptions): LineQueue {
  const { connection, names, log, batchMs, reason, limits } = options
  return createLineQueue({
    async append(lines) {
      const records = lines.map(recordOf)
      const count = await connection.run(0, async (send) => {
        await appendRecords(send, names, records, limits())
        return lines.length
      })
      const error = count === 0 ? new Error(reason() || 'Redis is away') : null
      return { count, bytes: 0, error }
    },
    async onAppended() {},
    log,
    batchMs,
    maxWaiting,
    maxBatch: maxWaiting / 16,
  })
}

function recordOf(line: string): WrittenRecord {
  // The queue holds what `encodeRecord` wrote.
  const record = decodeRecord(line) as JournalRecord
  const timeMs = record.kind === 'error' ? record.timeMs : record.toMs
  const name = record.kind === 'error' ? record.digest : 'alike'
  return { line, timeMs, id: `${name}/${randomUUID()}` }
}
