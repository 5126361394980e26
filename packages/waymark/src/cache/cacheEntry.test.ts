import { expect, test } from 'vitest'
import { maxKeyLength, normalizeKey } from './cacheEntry.ts'

test.each(['', 'a', 'GET /a?b=c', 'ä 👩‍👩‍👧', 'x'.repeat(maxKeyLength)])(
  '%s stays unchanged',
  (name) => {
    expect(normalizeKey(name)).toBe(name)
  },
)

test('a name of 10 MB is shortened and still differs from others by its end', () => {
  const long = 'x'.repeat(10_000_000)
  expect(normalizeKey(long)).toHaveLength(maxKeyLength)
  expect(normalizeKey(`${long}a`)).not.toBe(normalizeKey(`${long}b`))
})

test('control characters and lone surrogates are hashed', () => {
  const names = ['a\nb', 'a\0b', 'a_b', 'a\ud800b'].map(normalizeKey)
  expect(new Set(names).size).toBe(4)
  for (const name of names) expect(name).not.toMatch(/[\p{Cc}\p{Cs}]/u)
})
