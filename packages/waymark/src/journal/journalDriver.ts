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

/** Stores a journal; `journalDriverSuite` specifies the behaviour. */
export type JournalDriver = {
  /** Stores a record. Returns at once and never throws. */
  write(record: JournalRecord): void
  /** Newest first, including records of this process that are being written. */
  list(filter?: JournalFilter): Promise<JournalEntry[]>
  /** Kinds of errors, last occurrence first. */
  groups(filter?: JournalFilter): Promise<JournalGroup[]>
  find(digest: string): Promise<FoundOccurrence | null>
  /** Counts that were written, in no order. */
  counts(filter: CountsFilter): Promise<CountsRecord[]>
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

/** Occurrences of one kind on one route within about a second, too many to store whole. */
export type AggregateRecord = {
  readonly kind: 'alike'
  readonly fingerprint: string
  readonly route: string | null
  readonly count: number
  readonly fromMs: number
  readonly toMs: number
  /** Digests of these occurrences; fewer than `count` above a limit. */
  readonly digests: readonly string[]
  /** Digest of an occurrence of this kind that was stored whole. */
  readonly example: string | null
}

export type CountsFilter = {
  readonly name: string
  /** Milliseconds since the epoch: counts that end then or later. */
  readonly sinceMs?: number | undefined
}

export type JournalRecord = JournalEntry | AggregateRecord | CountsRecord

/** True for what anybody can cause, as often as they like: it may fill half of a store. */
export function mayBeOfStranger(record: JournalRecord): boolean {
  return record.kind === 'alike' || (record.kind === 'error' && record.phase === 'browser')
}

export function encodeRecord(record: JournalRecord): string | null {
  // Only a redact hook can add a cycle or a bigint.
  return tryOrUndefined(() => JSON.stringify(record)) ?? null
}

export function decodeRecord(line: string): JournalRecord | null {
  return tryOrUndefined(() => readRecord(JSON.parse(line))) ?? null
}

/** Checks the types and drops unknown fields. */
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

/** @returns a reader that returns `null` for a value without fields */
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
  // `readRecord` has checked the value.
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
