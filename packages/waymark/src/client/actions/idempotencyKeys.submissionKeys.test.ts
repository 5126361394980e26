import { expect, test } from 'vitest'
import { idempotencyKeyPattern } from '../../shared/protocol.ts'
import { createIdempotencyKeys } from './idempotencyKeys.ts'

const make = () => createIdempotencyKeys((bytes) => crypto.getRandomValues(bytes))

test('each submission has a key of its own, as the protocol wants it', () => {
  const keys = make()
  const made = Array.from({ length: 200 }, () => keys.keyFor('same'))
  expect(new Set(made).size).toBe(200)
  for (const key of made) expect(key).toMatch(idempotencyKeyPattern)
})

test('what was given up unanswered keeps its key until it is answered', () => {
  const keys = make()
  keys.remember('same', 'the-key')
  expect(keys.keyFor('same')).toBe('the-key')
  expect(keys.keyFor('other')).not.toBe('the-key')
  keys.forget('same')
  expect(keys.keyFor('same')).not.toBe('the-key')
})

test('the oldest of many is forgotten', () => {
  const keys = make()
  for (let at = 0; at < 21; at++) keys.remember(`call ${at}`, `key ${at}`)
  expect(keys.keyFor('call 20')).toBe('key 20')
  expect(keys.keyFor('call 1')).toBe('key 1')
  expect(keys.keyFor('call 0')).not.toBe('key 0')
})
