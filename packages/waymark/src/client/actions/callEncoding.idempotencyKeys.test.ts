import { expect, test, vi } from 'vitest'
import { idempotencyKeyPattern } from '../../wire/protocol.ts'
import { createIdempotencyKeys } from './callEncoding.ts'

// React's runtime isn't under test, and it expects this function from a bundler.
vi.hoisted(() => Object.assign(globalThis, { __webpack_require__: () => {} }))

test('each call gets its own key, in the format of the protocol', () => {
  const keys = createIdempotencyKeys()
  const all = Array.from({ length: 200 }, () => keys.keyFor('same'))
  expect(new Set(all).size).toBe(200)
  for (const key of all) expect(key).toMatch(idempotencyKeyPattern)
})

test('an abandoned call keeps its key until it gets a response', () => {
  const keys = createIdempotencyKeys()
  keys.remember('same', 'the-key')
  expect(keys.keyFor('same')).toBe('the-key')
  expect(keys.keyFor('other')).not.toBe('the-key')
  keys.forget('same')
  expect(keys.keyFor('same')).not.toBe('the-key')
})

test('forgets the oldest key beyond the limit', () => {
  const keys = createIdempotencyKeys()
  for (let at = 0; at < 21; at++) keys.remember(`call ${at}`, `key ${at}`)
  expect(keys.keyFor('call 20')).toBe('key 20')
  expect(keys.keyFor('call 1')).toBe('key 1')
  expect(keys.keyFor('call 0')).not.toBe('key 0')
})
