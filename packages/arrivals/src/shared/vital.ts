/** How fast a page shows, responds and keeps still: https://web.dev/articles/vitals. */
export const vitalNames = ['LCP', 'INP', 'CLS', 'TTFB'] as const

export type VitalName = (typeof vitalNames)[number]

/** One web vital of a page, as a browser reports it. */
export type Vital = {
  /** The pattern; `null` for a URL without a route. */
  readonly route: string | null
  readonly name: VitalName
  /** Of a navigation without a document; few browsers tell. */
  readonly isSoft: boolean
  /** Milliseconds; of CLS, thousandths. */
  readonly value: number
}
