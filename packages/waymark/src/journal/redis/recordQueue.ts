import { randomUUID } from 'node:crypto'
import type { RedisConnection } from '../../redis/connection.ts'
import { createLineQueue, type LineQueue } from '../files/lineQueue.ts'
import { decodeRecord, type JournalRecord } from '../record.ts'
import {
  appendRecords,
  type JournalNames,
  type RecordLimits,
  type WrittenRecord,
} from './records.ts'

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
