import type { LiveEvents } from '../events/browserEvents.ts'

/** Argument of a tab's `render`. */
export type TabContext = {
  /** Window of the inspected page. */
  readonly view: Window
  /** Returns the URL of the inspected page. */
  page(): URL
  readonly events: LiveEvents
  /** Renders the tab again with current data. */
  refresh(): void
  /** Announces a text to screen readers. */
  announce(text: string): void
}

/** One tab of the panel. */
export type PanelTab = {
  readonly id: string
  readonly title: string
  /** @throws PanelError with a message for the user */
  render(context: TabContext): Promise<Node>
  /** True for a tab that is rendered again when new events arrive. */
  readonly isLive?: boolean
  /**
   * Milliseconds after which the content is out of date. By default, the tab is only rendered again
   * when the page changes.
   */
  readonly everyMs?: number
}
