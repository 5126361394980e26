import { expect, test } from 'vitest'
import { createNonces, nonce, parseNonce } from './nonce.ts'

test('nonces are long, differ, and are read again', () => {
  const next = createNonces()
  const made = Array.from({ length: 1000 }, next)
  expect(new Set(made).size).toBe(1000)
  for (const each of made) expect(parseNonce(each)).toBe(each)
})

test('bytes are asked for again when they are used up', () => {
  let calls = 0
  const next = createNonces((bytes) => bytes.fill(++calls))
  const made = Array.from({ length: 300 }, next)
  expect(new Set(made).size).toBe(3)
})

test.each([
  null,
  '',
  'short',
  'a'.repeat(23),
  `${'a'.repeat(21)}"`,
  `${'a'.repeat(21)}\n`,
  ' '.repeat(22),
])('%j is no nonce', (sent) => expect(parseNonce(sent)).toBeUndefined())

test('outside of a request there is none', () => {
  expect(() => nonce()).toThrow('OUTSIDE_REQUEST')
})
