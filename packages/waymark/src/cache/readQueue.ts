/** One who stands in a queue. */
export type ClockSlot<T> = {
  readonly value: T
  /** Since it came in, or was last passed over. */
  wasRead: boolean
  /** Towards the one that is asked next to go. */
  before: ClockSlot<T>
  after: ClockSlot<T>
}

/** What is in a store, by who has to go first. */
export type ClockQueue<T> = {
  add(value: T): ClockSlot<T>
  remove(queued: ClockSlot<T>): void
  /** The first that was not read; those before it go to the end, once. `null` of none. */
  nextToGo(): ClockSlot<T> | null
}

/**
 * Makes an empty queue: second chance, which is nearly "least recently used", with nothing to move
 * when something is read. A Map that is emptied from its front keeps the gaps there, and looks
 * through them each time.
 */
export function createClockQueue<T>(): ClockQueue<T> {
  // A ring; this stands between the last and the first, and has no value that anybody reads.
  const ends = { wasRead: false } as ClockSlot<T>
  ends.before = ends
  ends.after = ends

  function append(queued: ClockSlot<T>): void {
    queued.before = ends.before
    queued.after = ends
    ends.before.after = queued
    ends.before = queued
  }

  function remove({ before, after }: ClockSlot<T>): void {
    before.after = after
    after.before = before
  }

  return {
    add(value) {
      const queued: ClockSlot<T> = { value, wasRead: false, before: ends, after: ends }
      append(queued)
      return queued
    },
    remove,
    nextToGo() {
      let first = ends.after
      while (first.wasRead) {
        first.wasRead = false
        remove(first)
        append(first)
        first = ends.after
      }
      return first === ends ? null : first
    },
  }
}
