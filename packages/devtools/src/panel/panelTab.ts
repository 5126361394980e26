import type { LiveEvents } from '../events/browserEvents.ts'

/** Argument for a tab's `render`. */
export type TabContext = {
  /** Window of the inspected page. */
  readonly view: Window
  /** Returns the URL of the inspected page. */
  page(): URL
  readonly events: LiveEvents
  /** Renders the tab again with current data. */
  refresh(): void
  /** Makes screen readers announce a text. */
  announce(text: string): void
}

export type PanelTab = {
  readonly id: string
  readonly title: string
  /** @throws PanelError with a message to show to the user */
  render(context: TabContext): Promise<Node>
  /** True for a tab that is rendered again when new events arrive. */
  readonly isLive?: boolean
  /**
   * Milliseconds after which the tab is rendered again. By default, it is only rendered again when
   * the page changes.
   */
  readonly everyMs?: number
}
