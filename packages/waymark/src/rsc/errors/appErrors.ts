import { guardInstrumentation, type Instrumentation } from '../../journal/instrumentation.ts'
import { createJournal } from '../../journal/journal.ts'
import { createAttachableJournal } from '../../journal/journalDriver.ts'
import { createMemoryJournal } from '../../journal/memoryJournalDriver.ts'
import { createReporter } from '../../journal/reportError.ts'
import { createErrorBeacon } from './beacon.ts'

/** Joins journal, log and instrumentation of an app. */
export function createAppErrors({
  instrumentation,
  buildId,
  routeOf,
}: {
  /** What `instrumentation.ts` exports, if the app has one. */
  readonly instrumentation: Instrumentation | null
  readonly buildId: string
  /** Finds the pattern of a pathname's route. */
  readonly routeOf: (pathname: string) => string | null
}) {
  const driver = createAttachableJournal(createMemoryJournal())
  const journal = createJournal({ driver })
  const guarded = guardInstrumentation(instrumentation, (message, thrown) =>
    console.error(message, thrown),
  )
  const options = {
    journal,
    log: (text: string) => console.error(text),
    redact: instrumentation?.redact,
    onRequestError: instrumentation?.onRequestError && guarded.onRequestError,
    buildId,
    routeOf,
  }
  return {
    report: createReporter(options),
    /** Responds to browsers that report their errors. */
    respondToBeacon: createErrorBeacon(options),
    /** Sets the journal's storage; until then, it is in memory. */
    attachJournal: driver.attach,
    /** Resolves once all records are stored. */
    closeJournal: journal.close,
    /** Runs the app's own `register()`. Never rejects. */
    register: guarded.register,
  }
}
