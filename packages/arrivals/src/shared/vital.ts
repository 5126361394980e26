/**
 * Measures of how fast a page shows and responds, and how stable it is:
 * https://web.dev/articles/vitals.
 */
export const vitalNames = ['LCP', 'INP', 'CLS', 'TTFB'] as const

export type VitalName = (typeof vitalNames)[number]

/** One web vital of a page, as a browser reports it. */
export type Vital = {
  /** Pattern of the route; `null` for a URL without a route. */
  readonly route: string | null
  readonly name: VitalName
  /** True for a navigation without a new document, which only some browsers measure. */
  readonly isSoft: boolean
  /** Milliseconds, or thousandths for CLS. */
  readonly value: number
}
