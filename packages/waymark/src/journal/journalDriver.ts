import type { JournalEntry, JournalPhase } from './journalEntry.ts'
import type { AggregateRecord, JournalRecord } from './record.ts'

/** Storage of a journal. `journalDriverSuite` says what each driver does. */
export type JournalDriver = {
  /** Stores a record. It returns at once and never throws, whatever fails later. */
  write(record: JournalRecord): void
  /** The newest first; the records of this process that are still being written included. */
  list(filter?: JournalFilter): Promise<JournalEntry[]>
  /** Kinds of errors, the one that occurred last first. */
  groups(filter?: JournalFilter): Promise<JournalGroup[]>
  find(digest: string): Promise<FoundOccurrence | null>
  /** Resolves once what was written so far is stored, or can't be. */
  flush(): Promise<void>
  /** Flushes, then releases everything. What is written later is lost. */
  close(): Promise<void>
}

/** Which occurrences are meant; what is left out does not limit. */
export type JournalFilter = {
  /** At this time or later. */
  readonly sinceMs?: number | undefined
  /** Pattern of a route. */
  readonly route?: string | undefined
  readonly fingerprint?: string | undefined
  /** Of entries only: what was not stored whole has none. */
  readonly phase?: JournalPhase | undefined
  /** Of entries or groups; default 50. */
  readonly limit?: number | undefined
}

/** The occurrences of one kind. */
export type JournalGroup = {
  readonly fingerprint: string
  /** Those that were not stored whole included. */
  readonly count: number
  readonly firstMs: number
  readonly lastMs: number
  /** The last that was stored whole, if any still is. */
  readonly latest: JournalEntry | null
  /** Patterns. */
  readonly routes: readonly string[]
}

/** What a digest leads to. */
export type FoundOccurrence =
  | { readonly kind: 'whole'; readonly entry: JournalEntry }
  /** It was one of many; `example` is another of its kind. */
  | {
      readonly kind: 'alike'
      readonly alike: AggregateRecord
      readonly example: JournalEntry | null
    }

/** A journal whose driver comes later. */
export type AttachableJournal = JournalDriver & {
  /** Goes on with another driver, which gets what was written so far. */
  attach(driver: JournalDriver): void
}

// Errors while a server starts are few, or all alike.
const maxHandedOver = 1_000

/**
 * Creates a journal for the time before its driver is known: what a server is started with is
 * bundled, and what starts it knows the folder.
 * @param first stores the records until then, and for good when none is attached
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
