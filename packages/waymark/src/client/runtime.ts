import type { ClientScreens } from '../components/routerContext.ts'
import type { retryImport } from './assets/importModule.ts'
import type { LazyModule } from './assets/lazyModule.ts'
import type { DocumentStream } from './document/documentStream.ts'
import type { ErrorReports } from './errors/errorReports.ts'
import type { TouchedFields } from './navigation/formFields.ts'
import type { HistoryEntries } from './navigation/historyEntries.ts'
import type { NavigationQueue } from './navigationQueue.ts'
import type { PrefetchStarter } from './prefetch/prefetchStarter.ts'
import type { loadShownPage } from './recoverDocument.ts'
import type { RouterCore } from './routerCore.ts'

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
