import { readRecord } from './journalDriver.ts'
import { type JournalEntry, minimalEntry } from './journalEntry.ts'

/** Exports of an app's `instrumentation.ts`, for tracers and error trackers. */
export type Instrumentation = {
  /** Runs once when a server starts, before its first request. */
  readonly register?: () => unknown
  readonly onRequestError?: OnRequestError
  /** Removes the app's secrets from an entry before it is written. */
  readonly redact?: RedactHook
}

/** Called for every error, including those that the journal only counts. */
export type OnRequestError = (
  /** The thrown value, or a browser's report. */
  error: unknown,
  request: ErrorRequest,
  context: ErrorContext,
) => unknown

/** The request of an error. */
export type ErrorRequest = {
  /** Without query values; `null` for an error outside a request. */
  readonly path: string | null
  readonly method: string | null
  /** Without the values of secret headers. */
  readonly headers: Readonly<Record<string, string>>
}

/** What the framework knows about an error. */
export type ErrorContext = {
  /** The redacted entry of the journal. */
  readonly entry: JournalEntry
}

// Limits the log lines of a failing hook.
const complainEveryMs = 60_000

/** Wraps an app's instrumentation, so that no function throws or rejects. */
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

/** @returns the header as version 00; `null` for an invalid one @see W3C Trace Context §3.2 */
export function readTraceparent(header: string | null | undefined): string | null {
  const [, version, place = '', rest] = traceparentPattern.exec(header ?? '') ?? []
  // §3.2.2: ff is invalid; version 00 has four parts, later versions may have more.
  if (version === undefined || version === 'ff') return null
  if (version === '00' && rest !== undefined) return null
  // All zeros are invalid.
  return /^0{32}|-0{16}-/.test(place) ? null : `00-${place}`
}

/**
 * Headers that pass a trace on to another service; empty without a trace. A tracer with its own
 * spans writes its own.
 * @param headers of the request
 */
export function traceHeaders(headers: {
  get(name: string): string | null
}): Readonly<Record<string, string>> {
  const traceparent = readTraceparent(headers.get('traceparent'))
  if (!traceparent) return {}
  const state = headers.get('tracestate')
  // §3.3: tracestate is ignored without a valid traceparent.
  return { traceparent, ...(state ? { tracestate: state } : {}) }
}

/** Gets a copy of an entry and returns the entry to store. */
export type RedactHook = (entry: JournalEntry) => JournalEntry

/** After an error of the hook, or an invalid result, only fields without secrets remain. */
export function redactEntry(entry: JournalEntry, hook: RedactHook | undefined): JournalEntry {
  if (!hook) return entry
  let problem = 'The redact hook did not return the entry, so its text was left out.'
  try {
    const redacted = readRecord(hook(structuredClone(entry)))
    const isSame = redacted?.kind === 'error' && redacted.digest === entry.digest
    // What the hook takes out of the path is in the kept request, too.
    if (isSame) return redacted.path === entry.path ? redacted : { ...redacted, replay: undefined }
  } catch {
    problem = 'The redact hook threw, so the text of this error was left out.'
  }
  return minimalEntry(entry, problem)
}
