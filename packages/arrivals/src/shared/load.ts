import type { Vital } from './vital.ts'

/** How a page is gone to: as a document, or by the router. */
export const loadKinds = ['document', 'push', 'replace', 'traverse', 'action'] as const

export type LoadKind = (typeof loadKinds)[number]

/**
 * How a load ends. `page`: it is on the screen. `fallback`: a screen with a status is, in place of
 * the page. `error`: one of a failure. `notice`: the person was asked. `left`: the person went
 * elsewhere first. `never`: it was hidden or closed, or a minute went by, with nothing shown.
 */
export const outcomes = ['page', 'fallback', 'error', 'notice', 'left', 'never'] as const

export type Outcome = (typeof outcomes)[number]

/** How a load ends after a notice. */
export const noticeEnds = ['arrived', 'left', 'gave-up'] as const

export type NoticeEnd = (typeof noticeEnds)[number]

/** Why a load was late, or did not arrive. `refused`: a response that was no page. */
export const causes = ['timed-out', 'offline', 'unreachable', 'cut', 'refused', 'thrown'] as const

export type Cause = (typeof causes)[number]

/** What a page waits for. */
export const waitedFor = ['data', 'code', 'styles'] as const

export type WaitedFor = (typeof waitedFor)[number]

/** A navigation that took longer is late. */
export const lateAfterMs = 1_000

/** One load of a page, as a browser reports it. */
export type Load = {
  /** The pattern; `null` for a URL without a route. */
  readonly route: string | null
  readonly kind: LoadKind
  readonly outcome: Outcome
  /** Until it was on the screen or else ended; `null` for a document in a tab that nobody saw. */
  readonly ms: number | null
  readonly attempts: number
  /** Of a fallback. */
  readonly status?: number
  /** Of an error, for `waymark errors`. */
  readonly digest?: string
  /** What came after a notice. */
  readonly end?: NoticeEnd
  readonly cause?: Cause
  /** Of a navigation that was late: what it waited for longest. */
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

/** What a browser sends: at least one load or vital. */
export type Beacon = {
  /** Of the document; `null` when it is not known. */
  readonly build: string | null
  readonly loads: readonly Load[]
  readonly vitals: readonly Vital[]
}

/** Below the base path of the app. */
export const arrivalsPath = '/_waymark/arrivals'

/** A beacon has at most so many loads, and so many vitals, in at most so many bytes. */
export const maxLoads = 50
export const maxBeaconBytes = 16_384

/** After a minute without a page, a load has not arrived. */
export const longestLoadMs = 60_000
