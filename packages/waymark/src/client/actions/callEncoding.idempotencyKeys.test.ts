import { expect, test, vi } from 'vitest'
import { idempotencyKeyPattern } from '../../wire/protocol.ts'
import { createIdempotencyKeys } from './callEncoding.ts'

// React's runtime is not under test, and expects this function of a bundler.
vi.hoisted(() => Object.assign(globalThis, { __webpack_require__: () => {} }))

test('each call has a key of its own, as the protocol wants it', () => {
  const keys = createIdempotencyKeys()
  const all = Array.from({ length: 200 }, () => keys.keyFor('same'))
  expect(new Set(all).size).toBe(200)
  for (const key of all) expect(key).toMatch(idempotencyKeyPattern)
})

test('a call that was given up keeps its key until it gets a response', () => {
  const keys = createIdempotencyKeys()
  keys.remember('same', 'the-key')
  expect(keys.keyFor('same')).toBe('the-key')
  expect(keys.keyFor('other')).not.toBe('the-key')
  keys.forget('same')
  expect(keys.keyFor('same')).not.toBe('the-key')
})

test('the oldest of many is forgotten', () => {
  const keys = createIdempotencyKeys()
  for (let at = 0; at < 21; at++) keys.remember(`call ${at}`, `key ${at}`)
  expect(keys.keyFor('call 20')).toBe('key 20')
  expect(keys.keyFor('call 1')).toBe('key 1')
  expect(keys.keyFor('call 0')).not.toBe('key 0')
})
