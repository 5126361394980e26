import { expect, test } from 'vitest'
import { maxKeyLength, normalizeKey } from './cacheEntry.ts'

test.each(['', 'a', 'GET /a?b=c', 'ä 👩‍👩‍👧', 'x'.repeat(maxKeyLength)])(
  '%s stays as it is',
  (name) => {
    expect(normalizeKey(name)).toBe(name)
  },
)

test('a name of 10 MB is bounded, and differs from others by its end', () => {
  const long = 'x'.repeat(10_000_000)
  expect(normalizeKey(long)).toHaveLength(maxKeyLength)
  expect(normalizeKey(`${long}a`)).not.toBe(normalizeKey(`${long}b`))
})

test('control characters and halves of characters are hashed away', () => {
  const names = ['a\nb', 'a\0b', 'a_b', 'a\ud800b'].map(normalizeKey)
  expect(new Set(names).size).toBe(4)
  for (const name of names) expect(name).not.toMatch(/[\p{Cc}\p{Cs}]/u)
})
