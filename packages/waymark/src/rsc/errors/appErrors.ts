import { guardInstrumentation, type Instrumentation } from '../../journal/instrumentation.ts'
import { createJournal } from '../../journal/journal.ts'
import { type AttachableJournal, createAttachableJournal } from '../../journal/journalDriver.ts'
import { createMemoryJournal } from '../../journal/memoryJournalDriver.ts'
import { createReporter, type ReportError } from '../../journal/reportError.ts'
import type { HandlerResponse, ServerRequest } from '../../shared/response.ts'
import { createErrorBeacon } from './beacon.ts'

/** All of an app that has to do with its errors. */
export type AppErrors = {
  readonly report: ReportError
  /** Answers browsers that tell of theirs. */
  readonly answerBeacon: (request: ServerRequest) => Promise<HandlerResponse>
  /** Sets the journal's storage; until then, it is in memory. */
  readonly attachJournal: AttachableJournal['attach']
  /** Resolves once all records are stored. */
  closeJournal(): Promise<void>
  /** Runs the app's own `register()`. Never rejects. */
  register(): Promise<void>
}

/** What an app's errors are reported with. */
export type AppErrorsOptions = {
  /** What `instrumentation.ts` exports, if the app has one. */
  readonly instrumentation: Instrumentation | null
  readonly buildId: string
  /** Finds the pattern of a pathname's route. */
  readonly routeOf: (pathname: string) => string | null
}

/** Joins journal, log and instrumentation. */
export function createAppErrors({
  instrumentation,
  buildId,
  routeOf,
}: AppErrorsOptions): AppErrors {
  const driver = createAttachableJournal(createMemoryJournal())
  const journal = createJournal({ driver })
  const guarded = guardInstrumentation(instrumentation, (message, thrown) =>
    console.error(message, thrown),
  )
  const parts = {
    journal,
    log: (text: string) => console.error(text),
    redact: instrumentation?.redact,
    onRequestError: instrumentation?.onRequestError && guarded.onRequestError,
    buildId,
  }
  return {
    report: createReporter(parts),
    answerBeacon: createErrorBeacon({ ...parts, routeOf }),
    attachJournal: driver.attach,
    closeJournal: journal.close,
    register: guarded.register,
  }
}
