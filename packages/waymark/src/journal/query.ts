import { isDigest } from '../shared/errorReport.ts'
import {
  defaultLimit,
  type FoundOccurrence,
  type JournalFilter,
  type JournalGroup,
} from './journalDriver.ts'
import type { JournalEntry } from './journalEntry.ts'
import type { AggregateRecord, JournalRecord } from './record.ts'

/** Takes records in any order, and gives what was asked for of them. */
export type QueryCollector<Result> = {
  take(record: JournalRecord): void
  /** Older records than this can't change the result any more. */
  readonly enoughBeforeMs: number
  result(): Result
}

/** Collects the newest entries, each digest once, the newest first. */
export function collectEntries(filter: JournalFilter = {}): QueryCollector<JournalEntry[]> {
  const { limit = defaultLimit } = filter
  let found = new Map<string, JournalEntry>()
  let enoughBeforeMs = filter.sinceMs ?? Number.NEGATIVE_INFINITY

  function trim(): void {
    const newest = [...found.values()].sort(newestFirst).slice(0, limit)
    if (newest.length === limit) enoughBeforeMs = newest.at(-1)?.timeMs ?? Number.POSITIVE_INFINITY
    found = new Map(newest.map((entry) => [entry.digest, entry]))
  }

  return {
    take(record) {
      if (record.kind !== 'error' || !matches(record, record.timeMs, filter)) return
      if (record.timeMs < enoughBeforeMs) return
      found.set(record.digest, record)
      if (found.size >= limit * 2 + 100) trim()
    },
    get enoughBeforeMs() {
      if (found.size >= limit) trim()
      return enoughBeforeMs
    },
    result() {
      trim()
      return [...found.values()]
    },
  }
}

type Group = { -readonly [Key in keyof JournalGroup]: JournalGroup[Key] } & { routes: string[] }

/** Collects the kinds of errors, the one that occurred last first. */
export function collectGroups(filter: JournalFilter = {}): QueryCollector<JournalGroup[]> {
  const groups = new Map<string, Group>()
  return {
    take(record) {
      const isEntry = record.kind === 'error'
      const lastMs = isEntry ? record.timeMs : record.toMs
      if (!matches(record, lastMs, filter)) return
      const group = groups.get(record.fingerprint) ?? emptyGroup(record.fingerprint)
      groups.set(record.fingerprint, group)
      group.count += isEntry ? 1 : record.count
      group.firstMs = Math.min(group.firstMs, isEntry ? record.timeMs : record.fromMs)
      group.lastMs = Math.max(group.lastMs, lastMs)
      if (isEntry && !(group.latest && group.latest.timeMs > lastMs)) group.latest = record
      if (record.route !== null && !group.routes.includes(record.route)) {
        group.routes.push(record.route)
      }
    },
    // Every record counts.
    enoughBeforeMs: filter.sinceMs ?? Number.NEGATIVE_INFINITY,
    result() {
      const { limit = defaultLimit } = filter
      return [...groups.values()].sort((a, b) => b.lastMs - a.lastMs).slice(0, limit)
    },
  }
}

/** The records that hold one digest. */
export type DigestMatches = {
  readonly entries: readonly JournalEntry[]
  readonly alike: AggregateRecord | null
}

/**
 * Chooses among the records that hold a digest. A browser makes its digests itself, so it may claim
 * one of the server's: the server's own counts.
 */
export function chooseMatch(
  { entries, alike }: DigestMatches,
  example: JournalEntry | null,
): FoundOccurrence | null {
  const own = entries.find(({ phase }) => phase !== 'browser')
  const entry = own ?? (alike ? undefined : entries[0])
  if (entry) return { kind: 'whole', entry }
  return alike && { kind: 'alike', alike, example }
}

/** Tells whether a record holds a digest as its own. */
export function holdsDigest(record: JournalRecord, digest: string): boolean {
  return record.kind === 'error' ? record.digest === digest : record.digests.includes(digest)
}

function matches(record: JournalRecord, timeMs: number, filter: JournalFilter): boolean {
  const { sinceMs, route, fingerprint, phase } = filter
  return (
    (sinceMs === undefined || timeMs >= sinceMs) &&
    (route === undefined || record.route === route) &&
    (fingerprint === undefined || record.fingerprint === fingerprint) &&
    (phase === undefined || (record.kind === 'error' && record.phase === phase))
  )
}

function emptyGroup(fingerprint: string): Group {
  return {
    fingerprint,
    count: 0,
    firstMs: Number.POSITIVE_INFINITY,
    lastMs: Number.NEGATIVE_INFINITY,
    latest: null,
    routes: [],
  }
}

function newestFirst(a: JournalEntry, b: JournalEntry): number {
  // Digests are ordered by time, too, and differ within a millisecond.
  return b.timeMs - a.timeMs || (a.digest < b.digest ? 1 : -1)
}

// A word of eleven letters is rather the name of a folder.
const hasForm = /\d|-/

/**
 * Reads a digest that somebody typed or was told: in any case, its dashes left out or in other
 * places, and with the letters that look like digits.
 * @returns `null` when it can be none
 * @see https://www.crockford.com/base32.html
 */
export function readDigest(text: string): string | null {
  if (!hasForm.test(text)) return null
  const plain = text.toLowerCase().replace(/[\s-]/g, '').replace(/o/g, '0').replace(/[il]/g, '1')
  const digest = `${plain.slice(0, 4)}-${plain.slice(4, 8)}-${plain.slice(8)}`
  return isDigest(digest) ? digest : null
}
