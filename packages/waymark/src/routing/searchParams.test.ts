import { expect, test } from 'vitest'
import { parseSearchParams } from './searchParams.ts'

test.each([
  ['', {}],
  ['?', {}],
  ['?a=1', { a: '1' }],
  ['?a=1&b=2&a=3', { a: ['1', '3'], b: '2' }],
  ['?a=1&a=2&a=3', { a: ['1', '2', '3'] }],
  ['?a&a=&b=%20+', { a: ['', ''], b: '  ' }],
  ['?10=x&9=y', { 10: 'x', 9: 'y' }],
])('%s', (search, expected) => {
  expect(parseSearchParams(search)).toEqual(expected)
})

test("names of Object.prototype's properties are plain names", () => {
  const params = parseSearchParams('?__proto__=1&__proto__=2&constructor=3')
  expect(Object.entries(params)).toEqual([
    ['__proto__', ['1', '2']],
    ['constructor', '3'],
  ])
  expect(Object.getPrototypeOf(params)).toBe(Object.prototype)
})

test("repeating a name doesn't copy its earlier values", () => {
  // Use many values, because parsing would take minutes if each value copied the previous ones.
  const params = parseSearchParams(`?${'a=1&'.repeat(300_000)}`)
  expect(params.a).toHaveLength(300_000)
})
