import type { CountsRecord } from '../http/endpoint.ts'
import { isDigest } from '../wire/errorReport.ts'
import type {
  AggregateRecord,
  CountsFilter,
  JournalFilter,
  JournalGroup,
  JournalRecord,
} from './journalDriver.ts'
import type { JournalEntry } from './journalEntry.ts'

export type LineQuery = {
  /** Digest to search for. If set, only lines that contain it are needed. */
  readonly digest?: string
  /** Records before this time can be skipped. It may increase while records are read. */
  readonly enoughBeforeMs: number
}

export type QueryCollector<Result> = LineQuery & {
  add(record: JournalRecord): void
  result(): Result
}

const defaultLimit = 50

export function collectJournalEntries(filter: JournalFilter = {}): QueryCollector<JournalEntry[]> {
  const { limit = defaultLimit } = filter
  let entries = new Map<string, JournalEntry>()
  let enoughBeforeMs = filter.sinceMs ?? Number.NEGATIVE_INFINITY

  function trim(): void {
    const newest = [...entries.values()].sort(newestFirst).slice(0, limit)
    if (newest.length === limit) enoughBeforeMs = newest.at(-1)?.timeMs ?? Number.POSITIVE_INFINITY
    entries = new Map(newest.map((entry) => [entry.digest, entry]))
  }

  return {
    add(record) {
      if (record.kind !== 'error' || !matches(record, record.timeMs, filter)) return
      if (record.timeMs < enoughBeforeMs) return
      entries.set(record.digest, record)
      if (entries.size >= limit * 2 + 100) trim()
    },
    get enoughBeforeMs() {
      if (entries.size >= limit) trim()
      return enoughBeforeMs
    },
    result() {
      trim()
      return [...entries.values()]
    },
  }
}

type Group = { -readonly [Key in keyof JournalGroup]: JournalGroup[Key] } & { routes: string[] }

export function collectGroups(filter: JournalFilter = {}): QueryCollector<JournalGroup[]> {
  const groups = new Map<string, Group>()
  return {
    add(record) {
      const isEntry = record.kind === 'error'
      const lastMs = isEntry ? record.timeMs : record.toMs
      if (record.kind === 'counts' || !matches(record, lastMs, filter)) return
      const { fingerprint } = record
      const firstMs = isEntry ? record.timeMs : record.fromMs
      const empty = { fingerprint, count: 0, firstMs, lastMs, latest: null, routes: [] }
      const group = groups.get(fingerprint) ?? empty
      groups.set(fingerprint, group)
      group.count += isEntry ? 1 : record.count
      group.firstMs = Math.min(group.firstMs, firstMs)
      group.lastMs = Math.max(group.lastMs, lastMs)
      if (isEntry && !(group.latest && group.latest.timeMs > lastMs)) group.latest = record
      if (record.route !== null && !group.routes.includes(record.route)) {
        group.routes.push(record.route)
      }
    },
    // The counts need all records, so don't skip any.
    enoughBeforeMs: filter.sinceMs ?? Number.NEGATIVE_INFINITY,
    result() {
      const { limit = defaultLimit } = filter
      return [...groups.values()].sort((a, b) => b.lastMs - a.lastMs).slice(0, limit)
    },
  }
}

export type DigestMatches = {
  readonly entry: JournalEntry | null
  readonly alike: AggregateRecord | null
}

/**
 * Finds the record for a digest. A browser may report one of the server's digests, so the server's
 * record counts.
 */
export function collectDigest(digest: string): QueryCollector<DigestMatches> {
  let ofServer: JournalEntry | null = null
  let ofBrowser: JournalEntry | null = null
  let alike: AggregateRecord | null = null
  return {
    digest,
    add(record) {
      if (record.kind === 'counts') return
      if (record.kind === 'alike') {
        if (record.digests.includes(digest)) alike = record
      } else if (record.digest === digest) {
        if (record.phase === 'browser') ofBrowser = record
        else ofServer = record
      }
    },
    get enoughBeforeMs() {
      return ofServer ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY
    },
    result: () => ({ entry: ofServer ?? (alike ? null : ofBrowser), alike }),
  }
}

export function collectCounts({ name, sinceMs }: CountsFilter): QueryCollector<CountsRecord[]> {
  const records: CountsRecord[] = []
  return {
    add(record) {
      if (record.kind !== 'counts' || record.name !== name) return
      if (record.toMs >= (sinceMs ?? 0)) records.push(record)
    },
    enoughBeforeMs: sinceMs ?? Number.NEGATIVE_INFINITY,
    result: () => records,
  }
}

function matches(
  record: Exclude<JournalRecord, CountsRecord>,
  timeMs: number,
  filter: JournalFilter,
): boolean {
  const { sinceMs, route, fingerprint, phase } = filter
  return (
    (sinceMs === undefined || timeMs >= sinceMs) &&
    (route === undefined || record.route === route) &&
    (fingerprint === undefined || record.fingerprint === fingerprint) &&
    (phase === undefined || (record.kind === 'error' && record.phase === phase))
  )
}

function newestFirst(a: JournalEntry, b: JournalEntry): number {
  // With equal times, sort by digest.
  return b.timeMs - a.timeMs || (a.digest < b.digest ? 1 : -1)
}

// Without a digit or dash, a word of eleven letters is more likely a folder name.
const hasForm = /\d|-/

/**
 * Parses a digest that somebody has typed. Ignores case and dashes, and accepts letters that look
 * like digits.
 * @returns the digest as the journal stores it; `null` for any other string
 */
export function parseDigest(text: string): string | null {
  if (!hasForm.test(text)) return null
  const plain = text.toLowerCase().replace(/[\s-]/g, '').replace(/o/g, '0').replace(/[il]/g, '1')
  const digest = `${plain.slice(0, 4)}-${plain.slice(4, 8)}-${plain.slice(8)}`
  return isDigest(digest) ? digest : null
}
