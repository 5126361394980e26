import { internalPrefix } from './protocol.ts'

// Crockford's base 32. It has no letters that look like digits, and no `u`, so that fewer words
// appear by accident.
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
const epochMs = Date.UTC(2026, 0, 1)

/** Creates a unique digest for an error. Digests sort by time: `6r3v-0m2k-x7q`. */
export function createDigest(nowMs: number, random: number): string {
  const text = encode(nowMs - epochMs, 8) + encode(Math.floor(random * 32 ** 3), 3)
  return `${text.slice(0, 4)}-${text.slice(4, 8)}-${text.slice(8)}`
}

const digestPattern = /^[0-9a-hjkmnp-tv-z]{4}-[0-9a-hjkmnp-tv-z]{4}-[0-9a-hjkmnp-tv-z]{3}$/

export function isDigest(text: string): boolean {
  return digestPattern.test(text)
}

function encode(value: number, length: number): string {
  let text = ''
  for (let rest = value; text.length < length; rest = Math.floor(rest / 32)) {
    text = alphabet[rest % 32] + text
  }
  return text
}

export const errorBeaconPath = `${internalPrefix}errors`

export const maxBeaconBytes = 16_384

export const beaconSources = [
  'error',
  'unhandledrejection',
  'boundary',
  'uncaught',
  'recoverable',
] as const

export type BeaconSource = (typeof beaconSources)[number]

/** A browser's report of one error, sent as JSON. */
export type ErrorBeacon = {
  /** Digest of the error. The browser creates it, and already shows it to the user. */
  readonly digest: string
  readonly source: BeaconSource
  readonly name: string
  readonly message: string
  readonly stack: string | null
  readonly componentStack: string | null
  readonly path: string
  /** Up to five pages that the user visited before the error, newest last. */
  readonly navigations: readonly string[]
  readonly buildId: string | null
}

/** Removes the values of a query: `/a?token=x&all#b` becomes `/a?token=&all`. */
export function withoutQueryValues(target: string): string {
  const [beforeHash = ''] = target.split('#', 1)
  const [path = '', query] = beforeHash.split(/\?(.*)/s, 2)
  if (query === undefined) return path
  const names = query.split('&').map((pair) => pair.replace(/=.*/s, '='))
  return `${path}?${names.join('&')}`
}
