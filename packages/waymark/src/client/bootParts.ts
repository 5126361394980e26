import type { DocumentStream } from './documentArrival.ts'
import type { ErrorReports } from './errorReports.ts'
import type { retryImport } from './importAgain.ts'
import type { LazyModule } from './lateCode.ts'
import type { NavigationQueue } from './lead.ts'
import type { loadShownPage } from './loadShownPage.ts'
import type { HistoryEntries } from './navigation/historyEntries.ts'
import type { TouchedFields } from './navigation/touchedFields.ts'
import type { PrefetchStarter } from './prefetch/ahead.ts'
import type { ClientScreens } from './router.ts'
import type { RouterCore } from './running.ts'

type LateOptions = ClientScreens & {
  readonly retryImport: typeof retryImport
  readonly loadShownPage: typeof loadShownPage
}

/** What runs from the document's start on, for React and for the router. */
export type BootRuntime = {
  readonly arrival: DocumentStream
  readonly ahead: PrefetchStarter
  readonly history: HistoryEntries
  readonly errors: ErrorReports
  readonly fields: TouchedFields
  readonly late: LazyModule<LateOptions>
  readonly lead: NavigationQueue
  /** The router, as soon as there is one; rejects when it can't be had now. */
  readonly router: () => Promise<RouterCore>
  /** The router, if there is one. */
  readonly running: () => RouterCore | null
}
