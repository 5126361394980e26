// Crockford's base 32: no letter that is read as a digit, none that makes a word.
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
const epochMs = Date.UTC(2026, 0, 1)

/**
 * Makes the digest of one occurrence of an error: unique, ordered by time, short enough to be
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
