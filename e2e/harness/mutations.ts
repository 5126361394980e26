/**
 * Creates a random number generator. Its numbers range from 0 (inclusive) to 1 (exclusive), and the
 * same seed gives the same numbers.
 */
export function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

// Strings with a special meaning in paths, Flight, JSON or multipart bodies.
const tokens = [
  '%',
  '%00',
  '%2f',
  '%c0%af',
  '../',
  '//',
  '\\',
  ';',
  '?',
  '#',
  '.rsc',
  '$',
  '$1',
  '$@0',
  '$F1',
  '$K1',
  '$Q1',
  '$n99999999999999999999',
  '$undefined',
  '$NaN',
  '$1:__proto__:then',
  '$1:constructor:constructor',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  '"',
  '{',
  '}',
  '[',
  ']',
  '[[[[[[[[[[[[',
  ':',
  ',',
  '\n',
  '\r\n',
  '\r\n\r\n',
  '--',
  'null',
  '1e999',
  '-1',
  '\u00e9',
  '\ud83d\ude00',
]

/** Changes a text in one to four places, at random. */
export function mutate(text: string, random: () => number): string {
  let changed = text
  for (let count = 1 + Math.floor(random() * 4); count > 0; count--) {
    const at = Math.floor(random() * (changed.length + 1))
    const length = Math.floor(random() * 12)
    const token = tokens[Math.floor(random() * tokens.length)] ?? ''
    const before = changed.slice(0, at)
    const after = changed.slice(at)
    switch (Math.floor(random() * 6)) {
      case 0:
        changed = before + after.slice(length)
        break
      case 1:
        changed = before + token + after
        break
      case 2:
        changed = before + token + after.slice(token.length)
        break
      case 3:
        changed = before + after.slice(0, length).repeat(1 + Math.floor(random() * 8)) + after
        break
      case 4:
        changed = before
        break
      default:
        changed = before + String.fromCharCode(Math.floor(random() * 256)) + after.slice(1)
    }
  }
  return changed
}
