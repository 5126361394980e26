import { expect, test } from 'vitest'
import { createInvalidationOutbox } from './invalidation.ts'

const tagged = (...tags: string[]) => ({ tags })

test('what could not be told counts here, the stronger word for good', () => {
  const pending = createInvalidationOutbox()
  pending.add(['a', 'b'], 'stale')
  pending.add(['a'], 'expired')
  pending.add(['a'], 'stale')
  const found = [tagged('a', 'b'), tagged('b'), tagged('c')].map(pending.freshness)
  expect(found).toEqual(['expired', 'stale', 'fresh'])
})

test('all of it is told, some at a time, by mode', async () => {
  const pending = createInvalidationOutbox()
  const many = Array.from({ length: 2_500 }, (_, at) => `t${at}`)
  pending.add(many, 'stale')
  pending.add(['gone'], 'expired')
  const told: [number, string][] = []
  await pending.tell(async (tags, mode) => told.push([tags.length, mode]) > 0)
  expect(told).toEqual([
    [1_000, 'stale'],
    [1_000, 'stale'],
    [500, 'stale'],
    [1, 'expired'],
  ])
  expect(pending.freshness(tagged('gone', 't0'))).toBe('fresh')
})

test('what can not be told is kept, and not tried on and on', async () => {
  const pending = createInvalidationOutbox()
  pending.add(['a'], 'stale')
  let tries = 0
  await pending.tell(async () => ++tries < 0)
  expect([tries, pending.freshness(tagged('a'))]).toEqual([1, 'stale'])
})

test('what is added while it is told is told again', async () => {
  const pending = createInvalidationOutbox()
  pending.add(['a'], 'stale')
  const told: string[] = []
  await pending.tell(async (_tags, mode) => {
    if (told.push(mode) === 1) pending.add(['a'], 'expired')
    return true
  })
  expect(told).toEqual(['stale', 'expired'])
})

test('is told by one at a time', async () => {
  const pending = createInvalidationOutbox()
  pending.add(['a'], 'stale')
  let told = 0
  const tell = () => pending.tell(async () => ++told > 0)
  await Promise.all([tell(), tell()])
  expect(told).toBe(1)
})
