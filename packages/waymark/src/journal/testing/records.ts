import { createDigest } from '../../shared/errorReport.ts'
import { createEntry, type JournalEntry } from '../journalEntry.ts'
import type { AggregateRecord } from '../record.ts'

/** Beginning of the times in tests. */
export const startMs = Date.UTC(2026, 0, 21, 12)

/** The digest of the occurrence with a number, one a millisecond. */
export function digestAt(at: number): string {
  return createDigest(startMs + at, 0)
}

// Made once: the test runner makes stacks slow.
const template = createEntry(new Error('error'), {
  digest: digestAt(0),
  timeMs: startMs,
  phase: 'document',
  route: '/a',
  target: '/a?b=c',
})

/** An entry, one a millisecond. */
export function entryAt(at: number, changes: Partial<JournalEntry> = {}): JournalEntry {
  const timeMs = startMs + at
  return { ...template, digest: digestAt(at), timeMs, message: `error ${at}`, ...changes }
}

/** Occurrences that were only counted: one a millisecond. */
export function alikeAt(
  at: number,
  count: number,
  changes: Partial<AggregateRecord> = {},
): AggregateRecord {
  const digests = Array.from({ length: count }, (_, index) => digestAt(at + index))
  const { fingerprint, route } = entryAt(at)
  const span = { fromMs: startMs + at, toMs: startMs + at + count - 1 }
  return { kind: 'alike', fingerprint, route, count, ...span, digests, example: null, ...changes }
}
