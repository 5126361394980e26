import { internalPrefix } from './protocol.ts'

// Crockford's base 32: no letter that is read as a digit, none that makes a word.
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
const epochMs = Date.UTC(2026, 0, 1)

/**
 * Creates the digest of one occurrence of an error: unique, ordered by time, short enough to be
 * read aloud, as in `6r3v-0m2k-x7q`.
 * @param nowMs milliseconds since the epoch
 * @param random a number from 0 to 1, 1 excluded
 */
export function createDigest(nowMs: number, random: number): string {
  const text = encode(nowMs - epochMs, 8) + encode(Math.floor(random * 32 ** 3), 3)
  return `${text.slice(0, 4)}-${text.slice(4, 8)}-${text.slice(8)}`
}

const digestPattern = /^[0-9a-hjkmnp-tv-z]{4}-[0-9a-hjkmnp-tv-z]{4}-[0-9a-hjkmnp-tv-z]{3}$/

/** Tells whether a text has the form of a digest. */
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

/** A browser's report of one error, as JSON. */
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

/**
 * Takes the values out of a query and keeps its names: `/a?token=x&all` becomes `/a?token=&all`.
 * @param target path and query, or a whole URL; its fragment is dropped
 */
export function withoutQueryValues(target: string): string {
  const [beforeHash = ''] = target.split('#', 1)
  const start = beforeHash.indexOf('?')
  if (start === -1) return beforeHash
  const names = beforeHash
    .slice(start + 1)
    .split('&')
    .map(withoutValue)
  return `${beforeHash.slice(0, start)}?${names.join('&')}`
}

function withoutValue(pair: string): string {
  const equals = pair.indexOf('=')
  return equals === -1 ? pair : pair.slice(0, equals + 1)
}
