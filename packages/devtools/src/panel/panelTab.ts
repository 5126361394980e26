import type { LiveEvents } from '../events/browserEvents.ts'

/** What a tab is given. */
export type TabContext = {
  /** The window of the page that is looked at. */
  readonly view: Window
  /** The URL of that page. */
  page(): URL
  readonly events: LiveEvents
  /** Shows the tab again, with what is true now. */
  refresh(): void
  /** Says something to who cannot see it change. */
  announce(text: string): void
}

/** One tab of the panel. */
export type PanelTab = {
  readonly id: string
  readonly title: string
  /** @throws PanelError with what to tell */
  render(context: TabContext): Promise<Node>
  /** True for a tab that shows events, and is rendered again when new ones arrive. */
  readonly isLive?: boolean
  /** Milliseconds after which what it shows is old; by default, when the page changes. */
  readonly everyMs?: number
}
