import { internalPrefix } from './protocol.ts'

/** Where browsers tell of their errors. */
export const errorBeaconPath = `${internalPrefix}errors`

/** Of the JSON, as sent; a longer one is refused. */
export const maxBeaconBytes = 16_384

/** How an error came to the browser half's ears. */
export const beaconSources = [
  'error',
  'unhandledrejection',
  'boundary',
  'uncaught',
  'recoverable',
] as const

/** How an error came to the browser half's ears. */
export type BeaconSource = (typeof beaconSources)[number]

/** What a browser tells of one error, as JSON. */
export type ErrorBeacon = {
  /** Made by the browser: it is on the screen already. */
  readonly digest: string
  readonly source: BeaconSource
  readonly name: string
  readonly message: string
  readonly stack: string | null
  readonly componentStack: string | null
  /** Path and names of the query, without values. */
  readonly path: string
  /** The same of the pages visited before, the newest last; at most five. */
  readonly navigations: readonly string[]
  readonly buildId: string | null
}
