import { expect, test } from 'vitest'
import { accessKey, accessOf, accessProperties, isOpen, parseAccessKey } from './access.ts'

test.each([
  ['member', '', 'access member'],
  ['other member', 'data', 'access other member (data)'],
  ['admin', 'from any page below /(a)', 'access admin (from any page below /(a))'],
])('the key of %s and "%s" is read as it was written', (persona, how, key) => {
  expect(accessKey({ persona, how })).toBe(key)
  expect(parseAccessKey(key)).toEqual({ persona, how })
})

test('a property that says nothing about access has no key', () => {
  expect(parseAccessKey('accessibility')).toBeNull()
  expect(parseAccessKey('cache')).toBeNull()
})

test('personas that get the same share a line', () => {
  const table = new Map([
    [
      '',
      new Map([
        ['anonymous', '401'],
        ['admin', '200'],
      ]),
    ],
    [
      'GET',
      new Map([
        ['anonymous', '200'],
        ['admin', '200'],
      ]),
    ],
  ])
  const properties = accessProperties(table, [])
  expect(properties).toEqual({
    'access anonymous': '401',
    'access admin': '200',
    'access everyone (GET)': '200',
  })
  const entry = { kind: 'page' as const, name: '/', properties }
  expect(accessOf(entry, { persona: 'admin', how: 'GET' })).toBe('200')
  expect(accessOf(entry, { persona: 'admin', how: 'POST' })).toBeUndefined()
})

test('a persona that could not sign in is not covered by the others', () => {
  const table = new Map([['', new Map([['anonymous', '200']])]])
  expect(accessProperties(table, ['admin'])).toEqual({
    'access anonymous': '200',
    'access admin': 'not tried',
  })
})

test.each([
  ['200', true],
  ['101', true],
  ['may call', true],
  ['runs', true],
  ['307 to /blog, turns on draft mode', true],
  ['307 to /enter', false],
  ['redirect to /enter', false],
  ['401', false],
  ['500', false],
  ['not tried', false],
])('"%s": open is %s', (value, expected) => expect(isOpen(value)).toBe(expected))
