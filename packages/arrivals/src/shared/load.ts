import type { Vital } from './vital.ts'

/** The ways to load a page: as a document, or through a kind of navigation of the router. */
export const loadKinds = ['document', 'push', 'replace', 'traverse', 'action'] as const

export type LoadKind = (typeof loadKinds)[number]

/**
 * The ways in which a load can end. `page`: the page is on the screen. `fallback`: a screen with a
 * status below 500 replaces the page. `error`: a screen for a failure replaces the page. `notice`: a
 * notice asked the visitor what to do. `left`: the visitor started another load first. `never`: the
 * page was hidden or closed, or a minute passed, and nothing was shown.
 */
export const outcomes = ['page', 'fallback', 'error', 'notice', 'left', 'never'] as const

export type Outcome = (typeof outcomes)[number]

/** The ways in which a load can end after a notice. */
export const noticeEnds = ['arrived', 'left', 'gave-up'] as const

export type NoticeEnd = (typeof noticeEnds)[number]

/** Reasons why a load was late or did not arrive. `refused`: the response wasn't a page. */
export const causes = ['timed-out', 'offline', 'unreachable', 'cut', 'refused', 'thrown'] as const

export type Cause = (typeof causes)[number]

/** Parts of a page that a navigation waits for. */
export const waitedFor = ['data', 'code', 'styles'] as const

export type WaitedFor = (typeof waitedFor)[number]

/** Milliseconds after which a navigation is late. */
export const lateAfterMs = 1_000

/** One load of a page, as a browser reports it. */
export type Load = {
  /** Pattern of the route; `null` for a URL without a route. */
  readonly route: string | null
  readonly kind: LoadKind
  readonly outcome: Outcome
  /**
   * Time until the page was on the screen or the load ended; `null` for a document in a tab that nobody
   * saw.
   */
  readonly ms: number | null
  readonly attempts: number
  /** Status of a fallback. */
  readonly status?: number
  /** Digest of an error, for `waymark errors`. */
  readonly digest?: string
  /** The way in which the load ended after a notice. */
  readonly end?: NoticeEnd
  readonly cause?: Cause
  /** Part of the page that a late navigation waited for longest. */
  readonly late?: WaitedFor
}

/** True if the load ended with a page or with a screen that the app intended, also after a notice. */
export function hasArrived({
  outcome,
  end,
}: {
  readonly outcome: Outcome
  readonly end?: NoticeEnd | undefined
}): boolean {
  return outcome === 'page' || outcome === 'fallback' || end === 'arrived'
}

/** A browser's report, with at least one load or vital. */
export type Beacon = {
  /** Build of the document; `null` if unknown. */
  readonly build: string | null
  readonly loads: readonly Load[]
  readonly vitals: readonly Vital[]
}

/** Path below the app's base path. */
export const arrivalsPath = '/_waymark/arrivals'

/** Limits of a beacon: the number of loads, the number of vitals, and bytes. */
export const maxLoads = 50
export const maxBeaconBytes = 16_384

/** Milliseconds after which a load without a page counts as not arrived. */
export const longestLoadMs = 60_000
