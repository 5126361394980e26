import { isDigest } from '../shared/errorReport.ts'
import { type BrowserContext, type JournalEntry, journalPhases } from './journalEntry.ts'
import type { Cause } from './thrownText.ts'

/**
 * Occurrences that were too many to be kept whole: all of one kind, met on one route, within about
 * a second.
 */
export type AggregateRecord = {
  readonly kind: 'alike'
  readonly fingerprint: string
  readonly route: string | null
  readonly count: number
  /** Of the first, and of the last. */
  readonly fromMs: number
  readonly toMs: number
  /** Of these occurrences, so that every one can be found; fewer than `count` in a flood. */
  readonly digests: readonly string[]
  /** Digest of an occurrence of this kind that was kept whole. */
  readonly example: string | null
}

/** What a journal keeps. */
export type JournalRecord = JournalEntry | AggregateRecord

/** Writes a record as one line. @returns `null` when a redact hook left something unwritable */
export function encodeRecord(record: JournalRecord): string | null {
  try {
    return JSON.stringify(record)
  } catch {
    // A cycle or a bigint, which only a redact hook can have put there.
    return null
  }
}

/** Reads a line. @returns `null` for one that is cut, or that something else wrote */
export function decodeRecord(line: string): JournalRecord | null {
  let read: unknown
  try {
    read = JSON.parse(line)
  } catch {
    return null
  }
  return readRecord(read)
}

/** Checks that a structure is a record, and leaves out what does not belong to it. */
export function readRecord(read: unknown): JournalRecord | null {
  const from = fieldsOf(read)
  if (!from || typeof from.fingerprint !== 'string') return null
  const { fingerprint } = from
  switch (from.kind) {
    case 'error':
      return readEntry(from, fingerprint)
    case 'alike':
      return {
        kind: 'alike',
        fingerprint,
        route: text(from.route),
        count: number(from.count) ?? 0,
        fromMs: number(from.fromMs) ?? 0,
        toMs: number(from.toMs) ?? 0,
        digests: list(from.digests, text),
        example: text(from.example),
      }
    default:
      return null
  }
}

function readEntry(from: Fields, fingerprint: string): JournalEntry | null {
  const phase = journalPhases.find((each) => each === from.phase)
  const { digest, timeMs } = from
  if (typeof digest !== 'string' || !isDigest(digest) || typeof timeMs !== 'number' || !phase) {
    return null
  }
  return {
    kind: 'error',
    digest,
    timeMs,
    fingerprint,
    phase,
    route: text(from.route),
    path: text(from.path),
    method: text(from.method),
    status: number(from.status),
    requestId: text(from.requestId),
    traceparent: text(from.traceparent),
    buildId: text(from.buildId),
    ...thrownOf(from),
    causes: list(from.causes, readCause),
    browser: readBrowser(from.browser),
  }
}

function thrownOf(from: Fields): Pick<JournalEntry, 'name' | 'code' | 'message' | 'stack'> {
  return {
    name: text(from.name) ?? 'Error',
    code: text(from.code),
    message: text(from.message) ?? '',
    stack: text(from.stack),
  }
}

function readCause(read: unknown): Cause | null {
  const from = fieldsOf(read)
  if (!from) return null
  return { relation: from.relation === 'member' ? 'member' : 'cause', ...thrownOf(from) }
}

function readBrowser(read: unknown): BrowserContext | null {
  const from = fieldsOf(read)
  if (!from) return null
  return {
    userAgent: text(from.userAgent),
    source: text(from.source) ?? 'error',
    navigations: list(from.navigations, text),
    componentStack: text(from.componentStack),
  }
}

type Fields = Readonly<Record<string, unknown>>

function fieldsOf(value: unknown): Fields | null {
  return typeof value === 'object' && value !== null ? (value as Fields) : null
}

function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

function number(value: unknown): number | null {
  return typeof value === 'number' ? value : null
}

function list<T>(value: unknown, read: (item: unknown) => T | null): T[] {
  return Array.isArray(value) ? value.flatMap((item) => read(item) ?? []) : []
}
