import { createElement } from 'react'
import { expect, test } from 'vitest'
import { listReads, recordReads, unwrap } from './recordReads.ts'

// biome-ignore lint/suspicious/noExplicitAny: the props of each case
type Props = any

let count = 0

/** Returns the paths that a component reads. */
function readsOf(props: object, read: (props: Props) => void): string[] {
  const key = `a.tsx C${count++}`
  read(recordReads(props, [key]))
  return [...(listReads().find((each) => each.key === key)?.paths ?? [])].sort()
}

const user = { name: 'Ann', hash: 'x', role: { title: 'Owner', id: 1 } }
const items = [
  { id: 1, label: 'a' },
  { id: 2, label: 'b' },
]

test.each<[title: string, props: object, read: (props: Props) => void, paths: string[]]>([
  ['a field', { a: 1, b: 2 }, (p) => p.a, ['a']],
  ['a nested field', { user }, (p) => p.user.role.title, ['user', 'user.role', 'user.role.title']],
  ['a destructured field', { user }, ({ user: { name } }) => name, ['user', 'user.name']],
  [
    'items of an array',
    { items },
    (p) => p.items.map((each: Props) => each.label),
    ['items', 'items[]', 'items[].label'],
  ],
  [
    'a loop',
    { items },
    (p) => {
      for (const { id } of p.items) String(id)
    },
    ['items', 'items[]', 'items[].id'],
  ],
  [
    'JSON',
    { user },
    (p) => JSON.stringify(p.user),
    ['user', 'user.hash', 'user.name', 'user.role', 'user.role.id', 'user.role.title'],
  ],
  ['a spread', { user }, (p) => ({ ...p.user }), ['user', 'user.hash', 'user.name', 'user.role']],
  [
    'the names of fields',
    { user },
    (p) => Object.keys(p.user),
    ['user', 'user.hash', 'user.name', 'user.role'],
  ],
  ['the rest of the fields', { a: 1, b: 2 }, ({ a, ...rest }) => [a, rest], ['a', 'b']],
  ['a missing field', { a: 1 }, (p) => p.z, []],
  ['children', { children: 'x', a: 1 }, (p) => p.children, []],
  [
    'a dictionary',
    { byId: { 'a@b': { n: 1 } } },
    (p) => p.byId['a@b'].n,
    ['byId', 'byId.*', 'byId.*.n'],
  ],
  ['a map', { map: new Map([['a', user]]) }, (p) => p.map.get('a').name, ['map', 'map.**']],
  ['a date', { at: new Date(0) }, (p) => p.at.getTime(), ['at', 'at.**']],
  ['an element', { icon: createElement('b') }, (p) => p.icon.type, ['icon', 'icon.**']],
  [
    'a frozen object',
    Object.freeze({ user: Object.freeze({ ...user }) }),
    (p) => p.user.name,
    ['user', 'user.name'],
  ],
  [
    'an object that was passed on',
    { user },
    (p) => recordReads({ u: p.user }, ['b.tsx D']).u.name,
    ['user', 'user.name'],
  ],
  ['a clone', { user }, (p) => structuredClone(unwrap({ list: [p.user] })), ['user', 'user.**']],
])('records %s', (_, props, read, paths) => {
  expect(readsOf(props, read)).toEqual(paths)
})

test('objects keep their identity, their kind and their order', () => {
  const shared = { id: 1 }
  const props = recordReads({ list: [shared, { id: 2 }], selected: shared }, ['a.tsx E'])
  expect(props.list[0]).toBe(props.selected)
  expect(props.list.indexOf(props.selected)).toBe(0)
  expect(props.list.includes(shared)).toBe(false)
  expect(Array.isArray(props.list)).toBe(true)
  expect(Object.getPrototypeOf(props.selected)).toBe(Object.prototype)
  expect([...props.list, 3]).toHaveLength(3)
  expect(props.list.concat([{ id: 3 }])).toHaveLength(3)
  expect(recordReads(props, ['a.tsx E'])).toBe(props)
})

test('a component can freeze what it gets, as React does with styles', () => {
  const props = recordReads({ style: { color: 'red', nested: { a: 1 } } }, ['a.tsx F'])
  Object.freeze(props.style)
  expect(props.style.color).toBe('red')
  expect(props.style.nested).toEqual({ a: 1 })
})

test('unwrapping leaves other values as they are', () => {
  const value = { a: [1], at: new Date(0) }
  expect(unwrap(value)).toBe(value)
})
