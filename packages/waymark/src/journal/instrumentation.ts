import type { JournalEntry } from './entry.ts'
import type { RedactHook } from './redactEntry.ts'

/** What an app's `instrumentation.ts` may export: a place for tracers and error trackers. */
export type Instrumentation = {
  /** Runs once when a server starts, before its first request. */
  readonly register?: () => unknown
  readonly onRequestError?: OnRequestError
  /** Takes out of an entry what only the app knows to be secret, before it is written anywhere. */
  readonly redact?: RedactHook
}

/** Hears of every error, also of those that the journal only counts. */
export type OnRequestError = (
  /** As it was thrown; of a browser, what it told. */
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

/** An app's instrumentation, made safe: nothing of it throws, and nothing waits for it. */
export type SafeInstrumentation = {
  register(): Promise<void>
  onRequestError: (error: unknown, request: ErrorRequest, context: ErrorContext) => void
}

// A hook that fails at each of many errors would write as many lines.
const complainEveryMs = 60_000

/**
 * Guards an app's instrumentation.
 * @param module the exports of `instrumentation.ts`; `null` when the app has none
 * @param log hears of what the app's functions throw
 */
export function guardInstrumentation(
  module: Instrumentation | null,
  log: (message: string, thrown: unknown) => void,
  now: () => number = Date.now,
): SafeInstrumentation {
  let complainedAtMs = Number.NEGATIVE_INFINITY

  function complain(thrown: unknown): void {
    if (now() - complainedAtMs < complainEveryMs) return
    complainedAtMs = now()
    log('onRequestError() in instrumentation.ts failed.', thrown)
  }

  return {
    async register() {
      try {
        await module?.register?.()
      } catch (thrown) {
        log('register() in instrumentation.ts failed. The server starts without it.', thrown)
      }
    },
    onRequestError(error, request, context) {
      try {
        const result = module?.onRequestError?.(error, request, context)
        if (result instanceof Promise) result.catch(complain)
      } catch (thrown) {
        complain(thrown)
      }
    },
  }
}
