import type { JournalDriver } from './journalDriver.ts'
import { createStoredJournal } from './storedJournal.ts'

/** Bounds of a journal in memory. */
export type MemoryJournalOptions = {
  /** Default: 1,000. */
  readonly maxRecords?: number
  /** In UTF-16 units, as JSON; default: 4 million. */
  readonly maxLength?: number
}

/**
 * Creates a journal that lives as long as its process; the oldest records make room for new ones.
 */
export function createMemoryJournal(options: MemoryJournalOptions = {}): JournalDriver {
  const { maxRecords = 1_000, maxLength = 4_000_000 } = options
  // As text: an entry may refer to a message of many megabytes that it shows the beginning of.
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
