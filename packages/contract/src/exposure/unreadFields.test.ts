import { expect, test } from 'vitest'
import type { SentComponent } from './exposure.ts'
import { findUnread, unreadLines } from './unreadFields.ts'

const place = { file: 'app/page.tsx', line: 4 }

function sent(...paths: string[]): SentComponent {
  const field = { entries: new Set(['page /']), bytes: 10 }
  const fields = new Map(paths.map((path) => [path, field]))
  return { name: 'Card', file: 'app/card.tsx', exportName: 'default', fields, place }
}

function unread(paths: string[], reads: string[]): string[] {
  const observed = [{ key: 'app/card.tsx default', paths: reads }]
  return findUnread([sent(...paths)], observed).unread.map(({ path }) => path)
}

test.each<[sent: string[], reads: string[], unread: string[]]>([
  [['a', 'b'], ['a'], ['b']],
  [['user.name', 'user.hash'], ['user', 'user.name'], ['user.hash']],
  [['user.name', 'user.hash'], [], ['user']],
  [['user.role.id', 'user.role.name'], ['user'], ['user.role']],
  [['tags[].label', 'tags[].hue'], ['tags', 'tags[]', 'tags[].label'], ['tags[].hue']],
  [['tags[]'], ['tags'], []],
  [['map[].name'], ['map', 'map.**'], []],
  [['a', 'b.c'], ['.**'], []],
  [['children', 'children[]'], [], []],
])('of %j with reads of %j, %j is unread', (paths, reads, expected) => {
  expect(unread(paths, reads)).toEqual(expected)
})

test('adds the bytes of all fields of an unread object, and the reads of all runs', () => {
  const observed = [
    { key: 'app/card.tsx default', paths: ['a'] },
    { key: 'app/card.tsx default', paths: ['b'] },
  ]
  const found = findUnread([sent('a', 'b', 'user.name', 'user.role.id')], observed)
  expect(found).toEqual({
    unread: [{ component: 'Card', path: 'user', bytes: 20, entries: ['page /'], place }],
    unobserved: [],
  })
  expect(unreadLines(found)).toEqual([
    'Sent and not read in these runs:',
    '  Card: user, 20 bytes, sent by the page /. app/page.tsx:4',
  ])
})

test('says which components did not run, and nothing about their fields', () => {
  const found = findUnread([sent('a')], [])
  expect(found).toEqual({ unread: [], unobserved: ['Card'] })
  expect(unreadLines(found).at(-1)).toBe('Not observed: Card.')
})
