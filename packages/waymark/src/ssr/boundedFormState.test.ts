import { expect, test } from 'vitest'
import { withBoundedReads } from './boundedFormState.ts'

test('a form state stops matching its form after about 1,000 reads', () => {
  const state = withBoundedReads(['a value', 'key', 'action', 1]) as unknown as unknown[]
  expect([...state]).toEqual(['a value', 'key', 'action', 1])
  let reads = 0
  while (state[2] === 'action' && reads < 1e6) reads++
  expect(state[2]).toBeNull()
  expect(reads).toBeGreaterThan(900)
})
