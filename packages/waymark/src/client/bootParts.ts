import type { EarlyErrors } from './earlyErrors.ts'
import type { HistoryEntries } from './navigation/historyEntries.ts'
import type { ScrollMemory } from './navigation/scroll.ts'
import type { Prefetcher } from './prefetch/prefetcher.ts'

/** What runs from the document's start on, and is handed to the router when that starts. */
export type BootParts = {
  readonly prefetcher: Prefetcher
  readonly history: HistoryEntries
  readonly scroll: ScrollMemory
  readonly earlyErrors: EarlyErrors
}
