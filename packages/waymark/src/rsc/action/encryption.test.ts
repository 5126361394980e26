import { expect, test } from 'vitest'
import { createKeyRing, readSecrets } from './encryption.ts'

const value = Buffer.from('what is closed over')
const [first, second] = ['a'.repeat(32), 'b'.repeat(32)] as const

test('an encrypted text is decrypted only for its purpose', () => {
  const ring = createKeyRing([first])
  const sealed = ring.seal(value, 'one#action')
  expect(ring.open(sealed, 'one#action')).toEqual(value)
  expect(ring.open(sealed, 'other#action')).toBeNull()
  expect(sealed).not.toContain(value.toString('base64url'))
  expect(ring.seal(value, 'one#action')).not.toBe(sealed)
})

test('an older secret still decrypts, and an unknown one does not', () => {
  const sealed = createKeyRing([first]).seal(value, 'x')
  expect(createKeyRing([second, first]).open(sealed, 'x')).toEqual(value)
  expect(createKeyRing([second]).open(sealed, 'x')).toBeNull()
})

test('a text that was changed is refused', () => {
  const ring = createKeyRing([first])
  const sealed = Buffer.from(ring.seal(value, 'x'), 'base64url')
  for (let at = 0; at < sealed.length; at++) {
    const changed = Buffer.from(sealed)
    changed[at] = (changed[at] ?? 0) ^ 1
    expect(ring.open(changed.toString('base64url'), 'x')).toBeNull()
  }
})

test.each(['', 'x', 'a'.repeat(36), '\u0000', '💥'])('an invalid text is refused: %j', (text) => {
  expect(createKeyRing([first]).open(text, 'x')).toBeNull()
})

test('the secret of the environment encrypts, and older ones and the secret of the build decrypt', () => {
  const env = { WAYMARK_SECRET: first, WAYMARK_SECRET_PREVIOUS: `${second}, ${'c'.repeat(32)}` }
  expect(readSecrets(env, 'built'.repeat(8))).toEqual([
    first,
    second,
    'c'.repeat(32),
    'built'.repeat(8),
  ])
  expect(readSecrets({}, 'built'.repeat(8))).toEqual(['built'.repeat(8)])
})

test.each([
  [{}, null],
  [{ WAYMARK_SECRET: 'short' }, null],
  [{ WAYMARK_SECRET: first, WAYMARK_SECRET_PREVIOUS: 'short' }, null],
])('a secret that is missing or too short is reported: %j', (env, built) => {
  expect(() => readSecrets(env, built)).toThrow(/ACTION_SECRET/)
})
