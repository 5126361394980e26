import { expect, test } from 'vitest'
import { parseTabMessage, type TabMessage } from './tabMessages.ts'

test('a message from a tab is read as it was sent', () => {
  const all: readonly TabMessage[] = [
    { type: 'follows', tab: 'one', followed: new Map([['a', ['sealed']]]) },
    { type: 'leads' },
    { type: 'changed', reads: ['a'], from: 'p1' },
    { type: 'gone', reads: ['a'] },
    { type: 'state', isConnected: false },
  ]
  for (const message of all) expect(parseTabMessage(structuredClone(message))).toEqual(message)
})

test('an unknown message is ignored', () => {
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
  for (const data of hostile) expect(parseTabMessage(data)).toBe(null)
})
