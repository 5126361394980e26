import { expect, test } from 'vitest'
import { type CurrentParams, withParams } from './withParams.ts'

test.each<[string, CurrentParams, Parameters<typeof withParams>[2], string]>([
  ['adds a parameter', { topic: 'oak' }, { page: 2 }, '/products?topic=oak&page=2'],
  [
    'keeps the position of a parameter',
    { page: '1', topic: 'oak' },
    { page: 2 },
    '/products?page=2&topic=oak',
  ],
  [
    'removes parameters',
    { a: '1', b: '2', c: '3', d: '4' },
    { a: null, b: undefined, c: '' },
    '/products?d=4',
  ],
  ['leaves out an empty query', { page: '2' }, { page: null }, '/products'],
  [
    'keeps repeated parameters',
    { tag: ['a', 'b'], page: '2' },
    { page: 3 },
    '/products?tag=a&tag=b&page=3',
  ],
  ['replaces repeated parameters', { tag: ['a', 'b'] }, { tag: 'c' }, '/products?tag=c'],
  ['repeats a parameter', { tag: 'a' }, { tag: ['b', 'c'] }, '/products?tag=b&tag=c'],
  ['removes a parameter by an empty list', { tag: 'a' }, { tag: [] }, '/products'],
  [
    'reads URLSearchParams',
    new URLSearchParams('tag=a&tag=b'),
    { page: 0 },
    '/products?tag=a&tag=b&page=0',
  ],
  ['writes booleans', {}, { sold: false }, '/products?sold=false'],
  ['leaves out missing values', { topic: undefined }, {}, '/products'],
  ['encodes names and values', {}, { 'a&b': 'ü #?&=' }, '/products?a%26b=%C3%BC+%23%3F%26%3D'],
  [
    'accepts any name',
    JSON.parse('{"__proto__":"x"}'),
    { constructor: 'y' },
    '/products?__proto__=x&constructor=y',
  ],
])('%s', (_title, current, changes, expected) => {
  expect(withParams('/products', current, changes)).toBe(expected)
})

test('does not change the current query', () => {
  const current = new URLSearchParams('page=1')
  withParams('/products', current, { page: 2 })
  expect(current.toString()).toBe('page=1')
})

test('puts the query before a hash', () => {
  expect(withParams('/products#list', {}, { page: 2 })).toBe('/products?page=2#list')
  expect(withParams('/products#list', {}, {})).toBe('/products#list')
})
