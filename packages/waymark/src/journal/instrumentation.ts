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

/** The request during which an error occurred. */
export type ErrorRequest = {
  /** Path without query values; `null` for an error outside of a request. */
  readonly path: string | null
  readonly method: string | null
  /** Headers, without the values of secret headers. */
  readonly headers: Readonly<Record<string, string>>
}

/** Further information about an error. */
export type ErrorContext = {
  /** The redacted journal entry of the error. */
  readonly entry: JournalEntry
}

// Minimum milliseconds between two log lines about a failing hook.
const complainEveryMs = 60_000

/** Wraps an app's instrumentation, so that none of its functions throws or rejects. */
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
 * Returns a `traceparent` header in the form of version 00, or `null` if it is invalid.
 * @see W3C Trace Context §3.2
 */
export function readTraceparent(header: string | null | undefined): string | null {
  const [, version, place = '', rest] = traceparentPattern.exec(header ?? '') ?? []
  // Version ff is invalid. Version 00 has four parts, and later versions may have more: §3.2.2.
  if (version === undefined || version === 'ff') return null
  if (version === '00' && rest !== undefined) return null
  // Ids that consist of zeros are invalid.
  return /^0{32}|-0{16}-/.test(place) ? null : `00-${place}`
}

/**
 * Returns headers that pass a trace on to a different service; empty if the request has no trace. A
 * tracer that creates its own spans writes these headers itself.
 * @param headers headers of the incoming request
 * @example fetch(url, { headers: traceHeaders(request.headers) })
 */
export function traceHeaders(headers: {
  get(name: string): string | null
}): Readonly<Record<string, string>> {
  const traceparent = readTraceparent(headers.get('traceparent'))
  if (!traceparent) return {}
  const state = headers.get('tracestate')
  // tracestate counts only together with a valid traceparent: §3.3.
  return { traceparent, ...(state ? { tracestate: state } : {}) }
}

/** Gets a copy of an entry and returns the entry to store. */
export type RedactHook = (entry: JournalEntry) => JournalEntry

/**
 * Applies the redact hook to an entry. If it throws or doesn't return an entry, keeps only fields
 * that can't contain secrets.
 */
export function redactEntry(entry: JournalEntry, hook: RedactHook | undefined): JournalEntry {
  if (!hook) return entry
  let problem = 'The redact hook did not return the entry, so its text was left out.'
  try {
    const redacted = readRecord(hook(structuredClone(entry)))
    const isSame = redacted?.kind === 'error' && redacted.digest === entry.digest
    // If the hook has changed the path, the stored request contains the same secret, so drop it.
    if (isSame) return redacted.path === entry.path ? redacted : { ...redacted, replay: undefined }
  } catch {
    problem = 'The redact hook threw, so the text of this error was left out.'
  }
  return minimalEntry(entry, problem)
}
