import type { FoundOccurrence, JournalDriver } from './journalDriver.ts'
import type { JournalEntry } from './journalEntry.ts'
import {
  chooseMatch,
  collectEntries,
  collectGroups,
  holdsDigest,
  type QueryCollector,
} from './query.ts'
import { type AggregateRecord, decodeRecord, encodeRecord, type JournalRecord } from './record.ts'

/** Bounds of a journal in memory. */
export type MemoryJournalOptions = {
  /** Default: 1,000. */
  readonly maxRecords?: number
  /** In UTF-16 units, as JSON; default: 4 million. */
  readonly maxLength?: number
}

/** Makes a journal that lives as long as its process; the oldest records make room for new ones. */
export function createMemoryJournal(options: MemoryJournalOptions = {}): JournalDriver {
  const { maxRecords = 1_000, maxLength = 4_000_000 } = options
  // As text: an entry may hold on to a message of many megabytes that it shows the beginning of.
  let lines: string[] = []
  let length = 0

  function collect<Result>(collector: QueryCollector<Result>): Result {
    for (const line of lines) collector.take(decodeRecord(line) as JournalRecord)
    return collector.result()
  }

  return {
    write(record) {
      const line = encodeRecord(record)
      if (line === null || line.length > maxLength) return
      lines.push(line)
      length += line.length
      while (lines.length > maxRecords || length > maxLength) length -= lines.shift()?.length ?? 0
    },
    async list(filter) {
      return collect(collectEntries(filter))
    },
    async groups(filter) {
      return collect(collectGroups(filter))
    },
    async find(digest) {
      return findIn(lines, digest)
    },
    async flush() {},
    async close() {
      lines = []
      length = 0
    },
  }
}

function findIn(lines: readonly string[], digest: string): FoundOccurrence | null {
  const records = recordsOf(lines, digest)
  const alike = records.find((record): record is AggregateRecord => record.kind === 'alike') ?? null
  const [example = null] = alike?.example ? recordsOf(lines, alike.example).filter(isEntry) : []
  return chooseMatch({ entries: records.filter(isEntry), alike }, example)
}

function recordsOf(lines: readonly string[], digest: string): JournalRecord[] {
  return lines
    .filter((line) => line.includes(digest))
    .map((line) => decodeRecord(line) as JournalRecord)
    .filter((record) => holdsDigest(record, digest))
}

function isEntry(record: JournalRecord): record is JournalEntry {
  return record.kind === 'error'
}
