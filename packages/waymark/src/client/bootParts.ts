import type { DocumentArrival } from './documentArrival.ts'
import type { ErrorReports } from './errorReports.ts'
import type { importAgain } from './importAgain.ts'
import type { LateCode } from './lateCode.ts'
import type { Lead } from './lead.ts'
import type { loadShownPage } from './loadShownPage.ts'
import type { HistoryEntries } from './navigation/historyEntries.ts'
import type { TouchedFields } from './navigation/touchedFields.ts'
import type { Ahead } from './prefetch/ahead.ts'
import type { ClientScreens } from './router.ts'
import type { RunningRouter } from './running.ts'

type LateParts = ClientScreens & {
  readonly importAgain: typeof importAgain
  readonly loadShownPage: typeof loadShownPage
}

/** What runs from the document's start on, for React and for the router. */
export type BootParts = {
  readonly arrival: DocumentArrival
  readonly ahead: Ahead
  readonly history: HistoryEntries
  readonly errors: ErrorReports
  readonly fields: TouchedFields
  readonly late: LateCode<LateParts>
  readonly lead: Lead
  /** The router, as soon as there is one; rejects when it can't be had now. */
  readonly router: () => Promise<RunningRouter>
  /** The router, if there is one. */
  readonly running: () => RunningRouter | null
}
