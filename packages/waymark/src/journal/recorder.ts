import type { ServerRequest } from '../shared/answer.ts'
import { tryOrUndefined } from './attempt.ts'
import type { JournalEntry } from './entry.ts'
import type { OnRequestError } from './instrumentation.ts'
import type { Journal } from './journal.ts'
import { logLine } from './logLine.ts'
import { type RedactHook, redactEntry } from './redactEntry.ts'
import { redactHeaders } from './redactText.ts'

/** Who hears of an error. */
export type RecorderOptions = {
  readonly journal: Journal
  /** Hears each occurrence as one text, without a line break at its end. */
  readonly log: (text: string) => void
  readonly redact?: RedactHook | undefined
  readonly onRequestError?: OnRequestError | undefined
}

/**
 * Tells an entry to all: journal, log, instrumentation. What fails of them stops neither the others
 * nor the caller.
 * @param thrown what the instrumentation gets to see of the error itself
 */
export type RecordEntry = (
  entry: JournalEntry,
  thrown: unknown,
  request: ServerRequest | undefined,
) => void

/** Makes what tells an entry to all. */
export function createRecorder(options: RecorderOptions): RecordEntry {
  const { journal, log, redact, onRequestError } = options
  return (created, thrown, request) => {
    const entry = redactEntry(created, redact)
    const isWhole = tryOrUndefined(() => journal.record(entry)) ?? false
    tryOrUndefined(() => log(logLine(entry, isWhole)))
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
