import { expect, test } from 'vitest'
import { clientComponent, createElement as h, renderFlight } from '../testing/renderFlight.ts'
import { readFlightRows } from './flightRows.ts'
import { mergePaths, readSentProps } from './sentProps.ts'

const Card = clientComponent('m1', 'Card')
const Other = clientComponent('m2', 'default')

async function fieldsOf(model: unknown): Promise<Record<string, string[]>> {
  const sent = readSentProps(readFlightRows(await renderFlight(model)))
  const paths: Record<string, string[]> = {}
  for (const { component, fields } of sent) {
    const name = `${component.id} ${component.name}`
    paths[name] = mergePaths([...(paths[name] ?? []), ...fields.map(({ path }) => path)])
  }
  return paths
}

const cyclic: Record<string, unknown> = { name: 'a' }
cyclic.self = cyclic
const shared = { id: 1, owner: { email: 'a@b.c' } }
const longText = 'A long text becomes a row of its own. '.repeat(60)

test.each<[title: string, props: object, fields: string[]]>([
  [
    'names of props',
    { name: 'Ann', age: 3, isNew: true, none: null },
    ['age', 'isNew', 'name', 'none'],
  ],
  [
    'fields of objects',
    { user: { name: 'Ann', role: { title: 'x' } } },
    ['user.name', 'user.role.title'],
  ],
  [
    'items of arrays',
    { tags: [{ label: 'a' }, { label: 'b', hue: 3 }] },
    ['tags[].hue', 'tags[].label'],
  ],
  ['empty arrays and objects', { tags: [], options: {} }, ['options', 'tags[]']],
  ['arrays in arrays', { grid: [[{ x: 1 }]] }, ['grid[][].x']],
  ['values of maps', { users: new Map([['a1', { name: 'Ann' }]]) }, ['users[].name']],
  ['items of sets', { users: new Set([{ name: 'Ann' }]) }, ['users[].name']],
  ['resolved promises', { user: Promise.resolve({ name: 'Ann' }) }, ['user.name']],
  ['values without fields', { at: new Date(0), big: 1n, undef: undefined }, ['at', 'big', 'undef']],
  [
    'objects that occur twice',
    { a: shared, b: { again: shared } },
    ['a.id', 'a.owner.email', 'b.again.id', 'b.again.owner.email'],
  ],
  ['circles', { cyclic }, ['cyclic.name']],
  ['long texts', { text: longText, after: longText }, ['after', 'text']],
  ['typed arrays', { bytes: new Uint8Array([1, 10, 58]), after: 1 }, ['after', 'bytes']],
  [
    'elements, without following them',
    { icon: h('b', { id: 'x' }), by: h(Other, { id: 1 }) },
    ['by', 'icon'],
  ],
  ['components as values', { Icon: Other }, ['Icon']],
  ['strings that begin with a dollar sign', { price: '$5', code: '$L1' }, ['code', 'price']],
  [
    'keys that are ids as one name',
    { byId: { 'user-1@x': { n: 1 }, '17': { n: 2 } } },
    ['byId.*.n'],
  ],
])('reads %s', async (_, props, fields) => {
  expect((await fieldsOf(h('main', null, h(Card, props))))['m1 Card']).toEqual(fields)
})

test('merges the fields of all elements of a component', async () => {
  const page = h('ul', null, h(Card, { a: 1, list: [] }), h(Card, { b: 1, list: [{ c: 1 }] }))
  expect(await fieldsOf(page)).toEqual({ 'm1 Card': ['a', 'b', 'list[].c'] })
})

test('finds components in props, in async components and in streams', async () => {
  const Later = async () => h(Card, { later: 1 })
  async function* rows() {
    yield h(Card, { streamed: 1 })
  }
  const model = { nodes: [h(Later), h(Other, { body: h(Card, { inner: 1 }) })], rows: rows() }
  expect(await fieldsOf(model)).toEqual({
    'm1 Card': ['inner', 'later', 'streamed'],
    'm2 default': ['body'],
  })
})

test('follows values that are streamed', async () => {
  async function* rows() {
    yield { name: 'Ann' }
    yield { name: 'Bob', age: 1 }
  }
  expect(await fieldsOf(h(Card, { rows: rows() }))).toEqual({
    'm1 Card': ['rows[].age', 'rows[].name'],
  })
})

test('reads the complete rows of a payload that was cut', async () => {
  const payload = await renderFlight(h(Card, { a: 1 }))
  for (let length = 0; length <= payload.length; length++) {
    expect(() => readSentProps(readFlightRows(payload.subarray(0, length)))).not.toThrow()
  }
})

test('a dictionary with many keys has one name', async () => {
  const prices = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`p${at}`, { net: at }]))
  expect(await fieldsOf(h(Card, { prices }))).toEqual({ 'm1 Card': ['prices.*.net'] })
})
