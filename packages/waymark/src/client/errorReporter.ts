import { createErrorReporter, type ErrorReporter, type Visits } from './reportError.ts'
import { sendErrorBeacon } from './sendErrorBeacon.ts'
import { uncaught } from './uncaught.ts'

/** What tells the server of a document's errors; loaded with the first of them, or at idle. */
export type DocumentReporter = {
  readonly report: ErrorReporter['report']
  /** Reports what nobody caught: an event of the window. */
  readonly reportEvent: (event: Event, target: string) => string | null
}

/** Makes it. */
export function createDocumentReporter(visits: Visits): DocumentReporter {
  const { report } = createErrorReporter({ send: sendErrorBeacon, visits })
  return {
    report,
    reportEvent(event, target) {
      const told = uncaught(event)
      return told && report(told.thrown, { source: told.source, target })
    },
  }
}
