import type { ServerRequest } from '../shared/answer.ts'
import { createDigest, isDigest } from '../shared/digest.ts'
import { encodeSignal, type Signal, signalOf } from '../shared/signals.ts'
import { tryOrUndefined } from './attempt.ts'
import { createEntry, type JournalPhase } from './entry.ts'
import { createRecorder, type RecorderOptions } from './recorder.ts'
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
export type ReporterOptions = RecorderOptions & {
  readonly buildId?: string | null | undefined
  readonly now?: () => number
  /** From 0 to 1, 1 excluded. */
  readonly random?: () => number
}

/**
 * Makes the reporter. Within a request, an error keeps the digest of its first report: it passes
 * through more than one renderer on its way. Whatever fails in here, a digest comes out.
 */
export function createReporter(options: ReporterOptions): ReportError {
  const { buildId, now = Date.now, random = Math.random } = options
  const nextDigest = createDigests(now, random)
  const known = createKnownDigests()
  const record = createRecorder(options)

  return function report(thrown, at) {
    const signal = tryOrUndefined<Signal | null>(() => signalOf(thrown))
    if (signal) return encodeSignal(signal)
    const seen = known.get(thrown, at.request) ?? carriedDigest(thrown)
    if (seen) return seen
    const digest = nextDigest()
    known.set(thrown, at.request, digest)
    tryOrUndefined(() => {
      const facts = { ...factsOf(at), digest, timeMs: now(), buildId }
      record(createEntry(thrown, facts), thrown, at.request)
    })
    return digest
  }
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

/**
 * Reads the digest of React's stand-in for an error of a server component, which the ssr
 * environment catches. Any other property of this name is the app's own business.
 */
export function carriedDigest(thrown: unknown): string | undefined {
  return tryOrUndefined(() => {
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

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
