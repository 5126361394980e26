import { expect, test } from 'vitest'
import { createCallOrder } from './idempotencyKeys.ts'

test('a call names those of its action that are under way', () => {
  const { take } = createCallOrder('document')
  const first = take('a')
  const other = take('b')
  const second = take('a')
  expect([first, other, second].map(({ header }) => header)).toEqual([
    'document-0',
    'document-1',
    'document-2 document-0',
  ])
  first.end()
  expect(take('a').header).toBe('document-3 document-2')
})

test('of many, the last twenty', () => {
  const { take } = createCallOrder('document')
  for (let count = 0; count < 30; count++) take('a')
  const names = take('a').header.split(' ')
  expect(names).toHaveLength(21)
  expect(names[1]).toBe('document-10')
})
