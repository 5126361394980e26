import { type JournalEntry, minimalEntry } from './journalEntry.ts'
import { readRecord } from './record.ts'

/** What an app's `instrumentation.ts` may export: a place for tracers and error trackers. */
export type Instrumentation = {
  /** Runs once when a server starts, before its first request. */
  readonly register?: () => unknown
  readonly onRequestError?: OnRequestError
  /** Takes out of an entry what only the app knows to be secret, before it is written anywhere. */
  readonly redact?: RedactHook
}

/** Called for every error, also for those that the journal only counts. */
export type OnRequestError = (
  /** As it was thrown; of a browser, its report. */
  error: unknown,
  request: ErrorRequest,
  context: ErrorContext,
) => unknown

/** The request that an error belongs to. */
export type ErrorRequest = {
  /** Query values left out. `null` for an error outside of any request. */
  readonly path: string | null
  readonly method: string | null
  /** Values of those that carry secrets are left out. */
  readonly headers: Readonly<Record<string, string>>
}

/** What the framework knows of an error. */
export type ErrorContext = {
  /** The entry of the journal, redacted. */
  readonly entry: JournalEntry
}

// A hook that fails at each of many errors would write as many lines.
const complainEveryMs = 60_000

/**
 * Guards an app's instrumentation: none of its functions throws or rejects.
 * @param module the exports of `instrumentation.ts`; `null` when the app has none
 * @param log called with what the app's functions throw
 */
export function guardInstrumentation(
  module: Instrumentation | null,
  log: (message: string, thrown: unknown) => void,
  now: () => number = Date.now,
) {
  let complainedAtMs = Number.NEGATIVE_INFINITY

  function complain(thrown: unknown): void {
    if (now() - complainedAtMs < complainEveryMs) return
    complainedAtMs = now()
    log('onRequestError() in instrumentation.ts failed.', thrown)
  }

  return {
    async register(): Promise<void> {
      try {
        await module?.register?.()
      } catch (thrown) {
        log('register() in instrumentation.ts failed. The server starts without it.', thrown)
      }
    },
    async onRequestError(...occurrence: Parameters<OnRequestError>): Promise<void> {
      try {
        await module?.onRequestError?.(...occurrence)
      } catch (thrown) {
        complain(thrown)
      }
    },
  }
}

const traceparentPattern = /^([\da-f]{2})-([\da-f]{32}-[\da-f]{16}-[\da-f]{2})(-.*)?$/

/**
 * Reads a `traceparent` header: a request's place in a trace that spans several services.
 * @returns the header as version 00; `null` for none, and for one that has to be ignored
 * @see W3C Trace Context §3.2
 */
export function readTraceparent(header: string | null | undefined): string | null {
  const [, version, place = '', rest] = traceparentPattern.exec(header ?? '') ?? []
  // §3.2.2: version ff is none; version 00 has four parts, later ones may have more.
  if (version === undefined || version === 'ff') return null
  if (version === '00' && rest !== undefined) return null
  // Neither the trace nor its caller may be all zeros.
  return /^0{32}|-0{16}-/.test(place) ? null : `00-${place}`
}

/**
 * The headers that pass a trace on to a service that is called for a request; without a trace,
 * none. A tracer that makes spans of its own writes its own.
 * @param headers of the request
 */
export function traceHeaders(headers: {
  get(name: string): string | null
}): Readonly<Record<string, string>> {
  const traceparent = readTraceparent(headers.get('traceparent'))
  if (!traceparent) return {}
  const state = headers.get('tracestate')
  // §3.3: without a valid traceparent, tracestate means nothing.
  return { traceparent, ...(state ? { tracestate: state } : {}) }
}

/** An app's own say on what is stored of an error; it gets a copy and returns what to store. */
export type RedactHook = (entry: JournalEntry) => JournalEntry

/**
 * Runs an app's redact hook over an entry. A hook that throws, or returns something else than the
 * same occurrence, leaves nothing but what can hold no secret.
 */
export function redactEntry(entry: JournalEntry, hook: RedactHook | undefined): JournalEntry {
  if (!hook) return entry
  let problem = 'The redact hook did not return the entry, so its text was left out.'
  try {
    const redacted = readRecord(hook(structuredClone(entry)))
    if (redacted?.kind === 'error' && redacted.digest === entry.digest) return redacted
  } catch {
    problem = 'The redact hook threw, so the text of this error was left out.'
  }
  return minimalEntry(entry, problem)
}
