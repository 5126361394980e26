import type { CountsRecord } from '../http/endpoint.ts'
import { tryOrUndefined } from '../shared/neverThrows.ts'
import { isDigest } from '../wire/errorReport.ts'
import {
  type BrowserContext,
  type JournalEntry,
  type JournalPhase,
  journalPhases,
} from './journalEntry.ts'
import type { Cause, ThrownText } from './thrownText.ts'

/** Stores a journal. `journalDriverSuite` specifies the behaviour. */
export type JournalDriver = {
  /** Stores a record. Returns at once and never throws. */
  write(record: JournalRecord): void
  /** Returns entries, newest first, including those that this process is still writing. */
  list(filter?: JournalFilter): Promise<JournalEntry[]>
  /**
   * Returns occurrences, grouped by kind of error. Groups with the most recent occurrences come
   * first.
   */
  groups(filter?: JournalFilter): Promise<JournalGroup[]>
  find(digest: string): Promise<DigestMatch | null>
  /** Returns the stored counts in any order. */
  counts(filter: CountsFilter): Promise<CountsRecord[]>
  /** Resolves once all records are stored or have failed. */
  flush(): Promise<void>
  /** Flushes and then releases all resources. Later records are lost. */
  close(): Promise<void>
}

/** Selects occurrences. Undefined fields don't restrict the selection. */
export type JournalFilter = {
  /** Earliest time, in milliseconds since the epoch. */
  readonly sinceMs?: number | undefined
  /** Route pattern. */
  readonly route?: string | undefined
  readonly fingerprint?: string | undefined
  /** Phase of the error. Only entries with all details have a phase. */
  readonly phase?: JournalPhase | undefined
  /** Maximum number of entries or groups; default 50. */
  readonly limit?: number | undefined
}

/** Occurrences of one kind of error. */
export type JournalGroup = {
  readonly fingerprint: string
  /** Number of occurrences, including those that were only counted. */
  readonly count: number
  readonly firstMs: number
  readonly lastMs: number
  /** The latest occurrence with all details, if there is one. */
  readonly latest: JournalEntry | null
  /** Patterns of the routes on which the error occurred. */
  readonly routes: readonly string[]
}

/** Result of searching for a digest. */
export type DigestMatch =
  | { readonly kind: 'whole'; readonly entry: JournalEntry }
  /** The occurrence was only counted. `example` is a different occurrence of the same error. */
  | {
      readonly kind: 'alike'
      readonly alike: AggregateRecord
      readonly example: JournalEntry | null
    }

/**
 * Number of occurrences of one error, on one route, within about a second, if there were too many
 * to store all of them with details.
 */
export type AggregateRecord = {
  readonly kind: 'alike'
  readonly fingerprint: string
  readonly route: string | null
  readonly count: number
  readonly fromMs: number
  readonly toMs: number
  /** Digests of the counted occurrences. If there are very many, some are missing. */
  readonly digests: readonly string[]
  /** Digest of an occurrence of the same error that is stored with all details. */
  readonly example: string | null
}

export type CountsFilter = {
  readonly name: string
  /** Selects counts that end at this time or later, in milliseconds since the epoch. */
  readonly sinceMs?: number | undefined
}

export type JournalRecord = JournalEntry | AggregateRecord | CountsRecord

/**
 * True for records that anybody can cause in any number, such as browsers' reports. They may fill
 * only half of a store.
 */
export function mayBeOfStranger(record: JournalRecord): boolean {
  return record.kind === 'alike' || (record.kind === 'error' && record.phase === 'browser')
}

export function encodeRecord(record: JournalRecord): string | null {
  // Encoding only fails if a redact hook has added a cycle or a bigint.
  return tryOrUndefined(() => JSON.stringify(record)) ?? null
}

export function decodeRecord(line: string): JournalRecord | null {
  return tryOrUndefined(() => readRecord(JSON.parse(line))) ?? null
}

/** Reads a record: checks its types and drops unknown fields. */
export function readRecord(read: unknown): JournalRecord | null {
  const { kind, fingerprint, digest, timeMs, phase } = Object(read)
  if (kind === 'counts') return readCounts(read)
  if (typeof fingerprint !== 'string') return null
  if (kind === 'alike') return readAggregate(read)
  const isEntry =
    kind === 'error' &&
    typeof digest === 'string' &&
    isDigest(digest) &&
    typeof timeMs === 'number' &&
    journalPhases.includes(phase)
  return isEntry ? readEntry(read) : null
}

type Reader<T> = (value: unknown) => T

type FieldReaders<T> = { readonly [Name in keyof T]: Reader<T[Name]> }

const text: Reader<string | null> = (value) => (typeof value === 'string' ? value : null)
const number: Reader<number | null> = (value) => (typeof value === 'number' ? value : null)
const textOr = (fallback: string) => (value: unknown) => text(value) ?? fallback
const count: Reader<number> = (value) => number(value) ?? 0

function listOf<T>(read: Reader<T | null>): Reader<T[]> {
  return (value) => (Array.isArray(value) ? value.flatMap((item) => read(item) ?? []) : [])
}

/** Creates a reader for an object. It returns `null` for all other values. */
function structureOf<T>(readers: FieldReaders<T>): Reader<T | null> {
  const fields = Object.entries<Reader<unknown>>(readers)
  return (value) => {
    if (typeof value !== 'object' || value === null) return null
    const from = value as Readonly<Record<string, unknown>>
    const structure: Record<string, unknown> = {}
    for (const [name, read] of fields) structure[name] = read(from[name])
    return structure as T
  }
}

const readCounts = structureOf<CountsRecord>({
  kind: () => 'counts',
  name: textOr(''),
  fromMs: count,
  toMs: count,
  data: (value) => value,
})

const readAggregate = structureOf<AggregateRecord>({
  kind: () => 'alike',
  fingerprint: textOr(''),
  route: text,
  count,
  fromMs: count,
  toMs: count,
  digests: listOf(text),
  example: text,
})

const thrownText: FieldReaders<ThrownText> = {
  name: textOr('Error'),
  code: text,
  message: textOr(''),
  stack: text,
}

const readEntry = structureOf<JournalEntry>({
  kind: () => 'error',
  digest: textOr(''),
  timeMs: count,
  fingerprint: textOr(''),
  // `readRecord` has checked the value, so cast.
  phase: (value) => value as JournalPhase,
  route: text,
  path: text,
  method: text,
  status: number,
  requestId: text,
  traceparent: text,
  buildId: text,
  ...thrownText,
  causes: listOf(
    structureOf<Cause>({
      relation: (value) => (value === 'member' ? 'member' : 'cause'),
      ...thrownText,
    }),
  ),
  browser: structureOf<BrowserContext>({
    userAgent: text,
    source: textOr('error'),
    navigations: listOf(text),
    componentStack: text,
  }),
  replay: (value) => value,
})
