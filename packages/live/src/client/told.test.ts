import { expect, test } from 'vitest'
import { type Told, toTold } from './told.ts'

test('what a tab says is read as it was said', () => {
  const all: readonly Told[] = [
    { type: 'follows', tab: 'one', followed: new Map([['a', ['sealed']]]) },
    { type: 'leads' },
    { type: 'changed', reads: ['a'], from: 'p1' },
    { type: 'gone', reads: ['a'] },
    { type: 'state', isConnected: false },
  ]
  for (const told of all) expect(toTold(structuredClone(told))).toEqual(told)
})

test('what no tab of this build says is nothing', () => {
  const hostile = [
    null,
    undefined,
    0,
    'leads',
    [],
    {},
    { type: 'other' },
    { type: 'changed' },
    { type: 'changed', reads: 'a', from: 'p1' },
    { type: 'changed', reads: [1], from: 'p1' },
    { type: 'gone', reads: { length: 1 } },
    { type: 'state' },
    { type: 'follows', tab: 'one', followed: { a: ['sealed'] } },
    { type: 'follows', tab: 'one', followed: new Map([['a', 'sealed']]) },
    { type: 'follows', tab: {}, followed: new Map() },
  ]
  for (const data of hostile) expect(toTold(data)).toBe(null)
})
