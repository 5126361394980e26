import type { JournalDriver } from './driver.ts'
import type { JournalRecord } from './record.ts'

/** A journal whose driver comes later. */
export type AttachableJournal = JournalDriver & {
  /** Goes on with another driver, which gets what was written so far. */
  attach(driver: JournalDriver): void
}

// Errors while a server starts are few, or all alike.
const maxHandedOver = 1_000

/**
 * Makes a journal for the time before its driver is known: what a server is started with is
 * bundled, and what starts it knows the folder.
 * @param first keeps the records until then, and for good when none is attached
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
