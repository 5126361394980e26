import type { ServerRequest } from '../http/response.ts'
import { tryOrUndefined } from '../shared/neverThrows.ts'
import { createDigest, isDigest } from '../wire/errorReport.ts'
import { encodeSignal, type Signal, signalOf } from '../wire/signals.ts'
import {
  type OnRequestError,
  type RedactHook,
  readTraceparent,
  redactEntry,
} from './instrumentation.ts'
import type { Journal } from './journal.ts'
import { createEntry, type JournalEntry, type JournalPhase, journalPhases } from './journalEntry.ts'
import { packageHint } from './packageHint.ts'
import {
  causeLabel,
  isObject,
  messageLine,
  messageLines,
  redactHeaders,
  type ThrownText,
} from './thrownText.ts'

/** Circumstances of an error. Outside of a request, only `phase` is set. */
export type Occurrence = {
  readonly request?: ServerRequest | undefined
  /** The canonical pathname. Default: taken from the request's target. */
  readonly pathname?: string | undefined
  /** The query including its question mark, or an empty string. */
  readonly search?: string | undefined
  readonly match?: { readonly pattern: string; readonly params?: object } | undefined
  /** Phase of the error. If undefined, `scope` and `kind` determine it. */
  readonly phase?: JournalPhase | undefined
  readonly kind?: 'document' | 'data' | undefined
  readonly scope?: OccurrenceScope | undefined
  readonly responseStatus?: number | undefined
}

/** The part of a request's scope that reports need. */
export type OccurrenceScope = {
  readonly phase: string
  readonly action?: { readonly id: string; readonly args: readonly unknown[] } | null
}

/**
 * Describes the request that caused an error as JSON without secrets, so that `waymark replay` can send it
 * again.
 */
export type KeepRequest = (at: Occurrence) => unknown

/** Reports an error. @returns the digest for the browser, or the encoding of a signal */
export type ReportError = (thrown: unknown, at: Occurrence) => string

export type ReporterOptions = RecorderOptions & {
  readonly buildId?: string | null | undefined
  readonly keepRequest?: KeepRequest | undefined
  /** Called once for each error that gets a digest. Must not throw. */
  readonly onDigest?: ((thrown: unknown, digest: string) => void) | undefined
  readonly now?: () => number
  readonly random?: () => number
}

/**
 * Creates a reporter. Several renderers may report the same error, so within a request it keeps its
 * first digest.
 */
export function createReporter(options: ReporterOptions): ReportError {
  const { buildId, keepRequest, onDigest, now = Date.now, random = Math.random } = options
  const record = createRecorder(options)
  // A module may throw the same error object in every request, so store digests per request.
  const digestsByRequest = new WeakMap<object, WeakMap<object, string>>()
  const outside = {}
  let digestMs = 0

  return function report(thrown, at) {
    const signal = tryOrUndefined<Signal | null>(() => signalOf(thrown))
    if (signal) return encodeSignal(signal)
    const digests = digestsByRequest.get(at.request ?? outside) ?? new WeakMap<object, string>()
    const seen = (isObject(thrown) && digests.get(thrown)) || carriedDigest(thrown)
    if (seen) return seen
    // A different millisecond for each digest makes this process's digests unique.
    digestMs = Math.max(now(), digestMs + 1)
    const digest = createDigest(digestMs, random())
    if (isObject(thrown)) digests.set(thrown, digest)
    digestsByRequest.set(at.request ?? outside, digests)
    onDigest?.(thrown, digest)
    tryOrUndefined(() => {
      const context = { ...contextOf(at), digest, timeMs: now(), buildId }
      const replay = at.request && tryOrUndefined(() => keepRequest?.(at))
      record({ ...createEntry(thrown, context), replay }, thrown, at.request)
    })
    return digest
  }
}

function contextOf(at: Occurrence) {
  const { request, pathname, search, match, responseStatus } = at
  const [query = ''] = /\?.*/s.exec(request?.target ?? '') ?? []
  return {
    phase: phaseOf(at),
    target: pathname === undefined ? request?.target : pathname + (search ?? query),
    route: match?.pattern || null,
    method: request?.method,
    status: responseStatus ?? null,
    requestId: request?.headers.get('x-request-id'),
    traceparent: readTraceparent(request?.headers.get('traceparent')),
  }
}

function phaseOf({ phase, scope, kind, request }: Occurrence): JournalPhase {
  const ofScope = journalPhases.find((each) => each === scope?.phase)
  return phase ?? ofScope ?? kind ?? (request ? 'document' : 'startup')
}

/**
 * Returns the digest of a server error, from the error that React throws in its place in the ssr
 * environment.
 */
export function carriedDigest(thrown: unknown): string | undefined {
  return tryOrUndefined(() => {
    if (!isObject(thrown)) return undefined
    const { digest } = thrown as { digest?: unknown }
    return typeof digest === 'string' && isDigest(digest) ? digest : undefined
  })
}

export type RecorderOptions = {
  readonly journal: Journal
  /**
   * Called for each occurrence, with its log text (without a line break at the end) and its entry.
   */
  readonly log: (text: string, entry: JournalEntry) => void
  readonly redact?: RedactHook | undefined
  readonly onRequestError?: OnRequestError | undefined
}

/**
 * Creates a function that passes an entry to journal, log and instrumentation. If one of these
 * fails, the others still get the entry, and the caller isn't affected.
 */
export function createRecorder(options: RecorderOptions) {
  const { journal, log, redact, onRequestError } = options
  return (created: JournalEntry, thrown: unknown, request: ServerRequest | undefined): void => {
    const entry = redactEntry(created, redact)
    const isWhole = tryOrUndefined(() => journal.record(entry)) ?? false
    tryOrUndefined(() => log(logLine(entry, isWhole), entry))
    if (!onRequestError) return
    const { path, method } = entry
    const headers = tryOrUndefined(() => redactHeaders(request?.headers.entries() ?? [])) ?? {}
    const result = tryOrUndefined(() =>
      onRequestError(thrown, { path, method, headers }, { entry }),
    )
    if (!(result instanceof Promise)) return
    const settled = result.catch(() => {})
    request?.waitUntil?.(settled)
  }
}

/**
 * Returns an occurrence's log text: a line about the request, then the error.
 * @param isWhole false to include only the error's name and message
 */
export function logLine(entry: JournalEntry, isWhole: boolean): string {
  const head = entryHead(entry)
  if (!isWhole) return `${head} ${messageLine(entry).slice(0, 300)} (one of many)`
  const causes = entry.causes.map((cause) => `${causeLabel(cause)} ${textOf(cause)}`)
  const hint = packageHint(entry)
  return [head, textOf(entry), ...causes, ...(hint ? [`    ${hint}`] : [])].join('\n')
}

export function entryHead({ digest, phase, method, path, route }: JournalEntry): string {
  const where = path === null ? [] : [method, path, route === null ? '(no route)' : `(${route})`]
  return [digest, phase, ...where].filter((part) => part !== null).join(' ')
}

// Lines of a message after the first are indented, so that they can't imitate a different
// occurrence.
function textOf({ stack, ...text }: ThrownText): string {
  const frames = stack?.split('\n').map((line) => `    ${line}`) ?? []
  return [...messageLines(text), ...frames].join('\n')
}
