import type { KeptAnswer } from './keptAnswer.ts'

/** A submission that runs, or has run. */
export type SubmissionEntry = {
  readonly bodyHash: string
  readonly expiresAtMs: number
  /** `null` where the answer was too large to be kept. */
  readonly answer: Promise<KeptAnswer | null>
  /** Of the answer, once it is there. */
  bytes: number
}

/** Bounds of what is kept. */
export type SubmissionBounds = {
  readonly ttlMs: number
  readonly maxBytes: number
  readonly maxAnswerBytes: number
  readonly maxEntries: number
}

/** Ten minutes, 32 MB. */
export const defaultBounds: SubmissionBounds = {
  ttlMs: 10 * 60_000,
  maxBytes: 32_000_000,
  maxAnswerBytes: 1_000_000,
  maxEntries: 10_000,
}

/** The submissions of a process, the oldest first; those that go beyond the bounds are let go. */
export type SubmissionEntries = {
  get(identity: string): SubmissionEntry | undefined
  add(identity: string, entry: SubmissionEntry): void
  /** Counts an answer that has come. */
  hold(identity: string, entry: SubmissionEntry, bytes: number): void
  forget(identity: string, entry: SubmissionEntry): void
}

/** Makes them, empty. */
export function createSubmissionEntries(
  bounds: SubmissionBounds,
  now: () => number,
): SubmissionEntries {
  const entries = new Map<string, SubmissionEntry>()
  let keptBytes = 0

  function forget(identity: string, entry: SubmissionEntry): void {
    if (entries.get(identity) === entry) entries.delete(identity)
    keptBytes -= entry.bytes
    entry.bytes = 0
  }

  function makeRoom(): void {
    for (const [identity, entry] of entries) {
      const isOver = entries.size > bounds.maxEntries || keptBytes > bounds.maxBytes
      if (!isOver && entry.expiresAtMs > now()) return
      forget(identity, entry)
    }
  }

  return {
    get(identity) {
      const entry = entries.get(identity)
      return entry && entry.expiresAtMs > now() ? entry : undefined
    },
    add(identity, entry) {
      entries.delete(identity)
      entries.set(identity, entry)
      makeRoom()
    },
    hold(identity, entry, bytes) {
      if (entries.get(identity) !== entry) return
      entry.bytes = bytes
      keptBytes += bytes
      makeRoom()
    },
    forget,
  }
}
