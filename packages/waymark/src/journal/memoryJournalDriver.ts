import type { JournalDriver } from './journalDriver.ts'
import { createStoredJournal } from './storedJournal.ts'

/** Limits of a journal in memory. */
export type MemoryJournalOptions = {
  /** Default: 1,000. */
  readonly maxRecords?: number
  /** UTF-16 units of JSON; default: 4 million. */
  readonly maxLength?: number
}

/** The journal of one process; new records displace the oldest. */
export function createMemoryJournal(options: MemoryJournalOptions = {}): JournalDriver {
  const { maxRecords = 1_000, maxLength = 4_000_000 } = options
  // Text, because an entry may reference a message of many megabytes.
  let lines: string[] = []
  let length = 0
  return createStoredJournal({
    push(line) {
      if (line.length > maxLength) return
      lines.push(line)
      length += line.length
      while (lines.length > maxRecords || length > maxLength) length -= lines.shift()?.length ?? 0
    },
    async read(_query, onLine) {
      lines.forEach(onLine)
    },
    async flush() {},
    async close() {
      lines = []
      length = 0
    },
  })
}
