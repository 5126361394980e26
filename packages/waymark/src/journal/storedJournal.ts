import type { JournalDriver } from './journalDriver.ts'
import type { LineQueue } from './lineQueue.ts'
import {
  collectDigest,
  collectEntries,
  collectGroups,
  type LineQuery,
  type QueryCollector,
} from './query.ts'
import { decodeRecord, encodeRecord } from './record.ts'

/** Storage of lines: all that one driver does otherwise than another. */
export type LineStore = Pick<LineQueue, 'push' | 'flush' | 'close'> & {
  /** Reads the lines that a query needs, and any others. */
  read(query: LineQuery, onLine: (line: string) => void): Promise<unknown>
}

/** Creates the driver of a journal whose records are lines of JSON in a store. */
export function createStoredJournal(store: LineStore): JournalDriver {
  async function query<Result>(collector: QueryCollector<Result>): Promise<Result> {
    await store.flush()
    await store.read(collector, (line) => {
      // Decoding takes much longer than the search for a text.
      if (collector.digest !== undefined && !line.includes(collector.digest)) return
      const record = decodeRecord(line)
      if (record) collector.add(record)
    })
    return collector.result()
  }

  return {
    write(record) {
      const line = encodeRecord(record)
      if (line !== null) store.push(line)
    },
    list: (filter) => query(collectEntries(filter)),
    groups: (filter) => query(collectGroups(filter)),
    async find(digest) {
      const { entry, alike } = await query(collectDigest(digest))
      if (entry) return { kind: 'whole', entry }
      if (!alike) return null
      const example = alike.example === null ? null : await query(collectDigest(alike.example))
      return { kind: 'alike', alike, example: example?.entry ?? null }
    },
    flush: store.flush,
    close: store.close,
  }
}
