import type { EarlyErrors } from './earlyErrors.ts'
import type { HistoryEntries } from './navigation/historyEntries.ts'
import type { Prefetcher } from './prefetch/prefetcher.ts'

/** What runs from the document's start on, and is handed to the router when that starts. */
export type BootParts = {
  readonly prefetcher: Prefetcher
  readonly history: HistoryEntries
  /** Key of the history entry whose page is on the screen. */
  readonly shownKey: () => string
  readonly earlyErrors: EarlyErrors
}
