import type { JournalEntry, JournalPhase } from './journalEntry.ts'
import type { AggregateRecord, JournalRecord } from './record.ts'

/** Stores a journal; `journalDriverSuite` specifies the behaviour. */
export type JournalDriver = {
  /** Stores a record. Returns at once and never throws. */
  write(record: JournalRecord): void
  /** Newest first, including records of this process that are being written. */
  list(filter?: JournalFilter): Promise<JournalEntry[]>
  /** Kinds of errors, last occurrence first. */
  groups(filter?: JournalFilter): Promise<JournalGroup[]>
  find(digest: string): Promise<FoundOccurrence | null>
  /** Resolves once all records are stored, or have failed. */
  flush(): Promise<void>
  /** Flushes, then releases everything. Later records are lost. */
  close(): Promise<void>
}

/** Selects occurrences; an undefined field selects all. */
export type JournalFilter = {
  /** Milliseconds since the epoch: then or later. */
  readonly sinceMs?: number | undefined
  /** Route pattern. */
  readonly route?: string | undefined
  readonly fingerprint?: string | undefined
  /** Selects only occurrences that were stored whole. */
  readonly phase?: JournalPhase | undefined
  /** Number of entries or groups; default 50. */
  readonly limit?: number | undefined
}

/** Occurrences of one kind. */
export type JournalGroup = {
  readonly fingerprint: string
  /** Includes occurrences that were only counted. */
  readonly count: number
  readonly firstMs: number
  readonly lastMs: number
  /** The last occurrence that was stored whole, if any. */
  readonly latest: JournalEntry | null
  /** Route patterns. */
  readonly routes: readonly string[]
}

/** Result of a digest search. */
export type FoundOccurrence =
  | { readonly kind: 'whole'; readonly entry: JournalEntry }
  /** Only counted; `example` is another occurrence of the same kind. */
  | {
      readonly kind: 'alike'
      readonly alike: AggregateRecord
      readonly example: JournalEntry | null
    }

export type AttachableJournal = JournalDriver & {
  /** Replaces the driver, which gets all records so far. */
  attach(driver: JournalDriver): void
}

// Errors at start are few, or alike.
const maxHandedOver = 1_000

/**
 * Holds records until the driver is known: the built server is bundled, and the program that starts
 * it knows the folder.
 * @param first stores the records meanwhile, or for good
 */
export function createAttachableJournal(first: JournalDriver): AttachableJournal {
  let current = first
  const written: JournalRecord[] = []
  return {
    write(record) {
      if (current === first && written.length < maxHandedOver) written.push(record)
      current.write(record)
    },
    list: (filter) => current.list(filter),
    groups: (filter) => current.groups(filter),
    find: (digest) => current.find(digest),
    flush: () => current.flush(),
    close: () => current.close(),
    attach(driver) {
      current = driver
      for (const record of written.splice(0)) driver.write(record)
      void first.close()
    },
  }
}
