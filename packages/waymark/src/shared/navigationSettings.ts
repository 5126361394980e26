/** Times and bounds of navigations; times in milliseconds. */
export type NavigationSettings = {
  /** Silence after which a navigation is late. */
  readonly timeoutMs: number
  /** Time after which it is late whatever arrives. */
  readonly hardCapMs: number
  /** How long the notice of a late one stands unattended before the browser loads the document. */
  readonly unattendedMs: number
  /** Time after which a pending state shows. */
  readonly pendingAfterMs: number
  /** How long a page that was left can come back as it was. */
  readonly keepMs: number
  /** How many of them. */
  readonly keepPages: number
}

/** Bounds of prefetching. */
export type PrefetchLimits = {
  /** Links of one page; what is meant (hover, focus, touch) is not counted against it. */
  readonly perPage: number
  readonly perMinute: number
  readonly atOnce: number
}

/** What holds unless the app says otherwise. */
export const defaultNavigation: NavigationSettings = {
  timeoutMs: 3800,
  hardCapMs: 30_000,
  unattendedMs: 5000,
  pendingAfterMs: 100,
  keepMs: 5 * 60_000,
  keepPages: 5,
}

/** What holds unless the app says otherwise. */
export const defaultPrefetch: PrefetchLimits = { perPage: 24, perMinute: 60, atOnce: 4 }
