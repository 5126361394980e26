import type { RouteAnnouncer } from './arrival.ts'
import type { HistoryEntries } from './historyEntries.ts'
import type { NavigationRequest } from './navigation.ts'
import type { Page } from './page.ts'
import type { PageSource } from './pageSource.ts'
import type { ScrollMemory } from './scroll.ts'

/** What a navigation is shown with. */
export type ShowOptions = {
  readonly source: PageSource
  readonly history: HistoryEntries
  readonly scroll: ScrollMemory
  readonly arrival: RouteAnnouncer
  /** Puts a page on the screen. @returns once it is there */
  readonly show: (page: Page, signal: AbortSignal) => Promise<void>
  readonly now: () => number
}

/** The page on the screen. */
export type ShownPage = { shown: Page }

/** A navigation on its way, over all of its attempts. */
export type NavigationContext = {
  /** As it was asked for; once a shell is shown, as a change of the entry that it has made. */
  request: NavigationRequest & { readonly isEntered?: boolean }
  /** The page that it has left. */
  readonly before: Page
  /** What had the focus when the page was left. */
  focused: Element | null
}

/** Notes where the person was on the page that is about to be replaced. */
export function leavePage(
  { shown }: ShownPage,
  { scroll, arrival }: ShowOptions,
  course: NavigationContext,
): void {
  if (course.request.isEntered) return
  scroll.save(shown.key)
  course.focused = arrival.focused()
}
