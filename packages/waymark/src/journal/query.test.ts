import { expect, test } from 'vitest'
import { parseDigest } from './query.ts'

test.each([
  ['6r3v-0m2k-x7q', '6r3v-0m2k-x7q'],
  ['6R3V-0M2K-X7Q', '6r3v-0m2k-x7q'],
  ['6r3v0m2kx7q', '6r3v-0m2k-x7q'],
  ['6r3v om2k x7q', '6r3v-0m2k-x7q'],
  ['1111-1111-1il', '1111-1111-111'],
  ['6r3v-0m2k', null],
  ['6r3v-0m2k-x7qq', null],
  ['6r3v-0m2k-x7u', null],
  ['site', null],
  ['storefronts', null],
  ['', null],
])('%s is parsed as %s', (text, digest) => {
  expect(parseDigest(text)).toBe(digest)
})
