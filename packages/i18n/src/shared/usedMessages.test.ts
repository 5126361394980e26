import { expect, test } from 'vitest'
import { mergeMessages, pickMessages } from './usedMessages.ts'

const table = { a: { b: 'one', c: ['two', ['x']], d: { e: 'three' } }, f: 'four' }

test.each([
  [['a.b'], { a: { b: 'one' } }],
  [['a.b', 'a.d.e', 'f'], { a: { b: 'one', d: { e: 'three' } }, f: 'four' }],
  [['a'], { a: table.a }],
  [['a', 'a.b'], { a: table.a }],
  [['a.d', 'a.c'], { a: { d: { e: 'three' }, c: ['two', ['x']] } }],
  [['a.nothing', 'constructor', 'a.toString', 'a.c.length'], {}],
])('the messages of %j', (keys, picked) => {
  expect(pickMessages(table, keys)).toEqual(picked)
  expect(table.a.d).toEqual({ e: 'three' })
})

test('all messages', () => expect(pickMessages(table, true)).toBe(table))

test('the messages of layouts and pages are joined', () => {
  expect(mergeMessages({ a: { b: '1' }, c: '2' }, { a: { d: '3' } })).toEqual({
    a: { b: '1', d: '3' },
    c: '2',
  })
})
