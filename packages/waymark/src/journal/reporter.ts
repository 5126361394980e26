import type { ServerRequest } from '../shared/answer.ts'
import { createDigest, isDigest } from '../shared/digest.ts'
import { encodeSignal, type Signal, signalOf } from '../shared/signals.ts'
import { createEntry, type JournalEntry, type JournalPhase } from './entry.ts'
import type { OnRequestError } from './instrumentation.ts'
import type { Journal } from './journal.ts'
import { logLine } from './logLine.ts'
import { type RedactHook, redactEntry } from './redactEntry.ts'
import { redactHeaders } from './redactText.ts'
import { formatTraceparent, parseTraceparent } from './traceparent.ts'

/** Where an error occurred; outside of a request, `phase` is all there is. */
export type Occurrence = {
  readonly request?: ServerRequest | undefined
  /** Canonical; without it the request's target counts. */
  readonly pathname?: string | undefined
  /** With its question mark, or empty. */
  readonly search?: string | undefined
  readonly match?: { readonly pattern: string } | undefined
  /** Wins over `scope` and `kind`, which tell it otherwise. */
  readonly phase?: JournalPhase | undefined
  readonly kind?: 'document' | 'data' | undefined
  readonly scope?: { readonly phase: string } | undefined
  /** Of the answer that goes out, once it is known. */
  readonly answerStatus?: number | undefined
}

/**
 * Reports what was thrown: to the journal, the log and the app's instrumentation.
 * @returns the digest: all that a browser may know of a failure; of a signal, its encoding
 */
export type ReportError = (thrown: unknown, at: Occurrence) => string

/** What a reporter is made of. */
export type ReporterParts = {
  readonly journal: Journal
  /** Hears each occurrence as one text, without a line break at its end. */
  readonly log: (text: string) => void
  readonly redact?: RedactHook | undefined
  readonly onRequestError?: OnRequestError | undefined
  readonly buildId?: string | null | undefined
  readonly now?: () => number
  /** From 0 to 1, 1 excluded. */
  readonly random?: () => number
}

/**
 * Makes the reporter. Within a request, an error keeps the digest of its first report: it passes
 * through more than one renderer on its way. Whatever fails in here, a digest comes out.
 */
export function createReporter(parts: ReporterParts): ReportError {
  const { journal, log, redact, onRequestError, buildId, now = Date.now } = parts
  const nextDigest = createDigests(now, parts.random ?? Math.random)
  const known = createKnownDigests()

  function record(thrown: unknown, at: Occurrence, digest: string): void {
    const facts = { ...factsOf(at), digest, timeMs: now(), buildId }
    const entry = redactEntry(createEntry(thrown, facts), redact)
    const isWhole = attempt(() => journal.record(entry)) ?? false
    attempt(() => log(logLine(entry, isWhole)))
    if (onRequestError) tell(onRequestError, thrown, at, entry)
  }

  return function report(thrown, at) {
    const signal = attempt<Signal | null>(() => signalOf(thrown))
    if (signal) return encodeSignal(signal)
    const seen = known.get(thrown, at.request) ?? carriedDigest(thrown)
    if (seen) return seen
    const digest = nextDigest()
    known.set(thrown, at.request, digest)
    attempt(() => record(thrown, at, digest))
    return digest
  }
}

function tell(
  onRequestError: OnRequestError,
  thrown: unknown,
  { request }: Occurrence,
  entry: JournalEntry,
): void {
  const { path, method } = entry
  const headers = redactHeaders(request?.headers.entries() ?? [])
  const result = attempt(() => onRequestError(thrown, { path, method, headers }, { entry }))
  if (result instanceof Promise) result.catch(() => {})
}

function factsOf(at: Occurrence) {
  const { request, pathname, search, match, answerStatus } = at
  const trace = parseTraceparent(request?.headers.get('traceparent') ?? null)
  return {
    phase: phaseOf(at),
    target: pathname === undefined ? request?.target : `${pathname}${search ?? queryOf(request)}`,
    route: match?.pattern || null,
    method: request?.method,
    status: answerStatus ?? null,
    requestId: request?.headers.get('x-request-id'),
    traceparent: trace && formatTraceparent(trace),
  }
}

function queryOf(request: ServerRequest | undefined): string {
  const start = request?.target.indexOf('?') ?? -1
  return start === -1 ? '' : (request?.target.slice(start) ?? '')
}

function phaseOf({ phase, scope, kind, request }: Occurrence): JournalPhase {
  if (phase) return phase
  switch (scope?.phase) {
    case 'proxy':
    case 'action':
    case 'route-handler':
    case 'prerender':
    case 'after':
      return scope.phase
    default:
      return kind ?? (request ? 'document' : 'startup')
  }
}

// What the ssr environment catches of a server component is React's stand-in for the error. Any
// other property of this name is the app's own business.
function carriedDigest(thrown: unknown): string | undefined {
  return attempt(() => {
    if (!isObject(thrown)) return undefined
    const { digest } = thrown as { digest?: unknown }
    return typeof digest === 'string' && isDigest(digest) ? digest : undefined
  })
}

/**
 * Remembers digests by error and request: an error that a module keeps and throws again, or a
 * promise that stays rejected, occurs anew in every request.
 */
function createKnownDigests() {
  const byError = new WeakMap<object, WeakMap<object, string>>()
  const outside = {}
  return {
    get(thrown: unknown, request: object = outside): string | undefined {
      return isObject(thrown) ? byError.get(thrown)?.get(request) : undefined
    },
    set(thrown: unknown, request: object = outside, digest: string): void {
      if (!isObject(thrown)) return
      const byRequest = byError.get(thrown) ?? new WeakMap<object, string>()
      byError.set(thrown, byRequest)
      byRequest.set(request, digest)
    },
  }
}

/** Makes digests of which no two are alike. */
function createDigests(now: () => number, random: () => number): () => string {
  const ofThisMs = new Set<string>()
  let atMs = 0
  return () => {
    const nowMs = now()
    if (nowMs !== atMs) ofThisMs.clear()
    atMs = nowMs
    let digest = createDigest(nowMs, random())
    for (let tries = 0; ofThisMs.has(digest) && tries < 100; tries++) {
      digest = createDigest(nowMs, random())
    }
    ofThisMs.add(digest)
    return digest
  }
}

// An error in the reporting of an error must not become an error of the request.
function attempt<T>(run: () => T): T | undefined {
  try {
    return run()
  } catch {
    return undefined
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
