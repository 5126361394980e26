import { expect, test } from 'vitest'
import { readRow, writeRow } from './subscriptionRow.ts'

const subscription = { rendering: 'r1', reads: 'names', sealed: 'sealed', isStale: true }

test('a row is read as it was written, at the end of a payload', () => {
  expect(readRow(`0:{"a":1}\n${writeRow(subscription)}`)).toEqual(subscription)
  expect(readRow(`0:{"a":1}\n${writeRow(subscription)}#0000abcd\n`)).toEqual(subscription)
})

test('a page that is not live has none', () => {
  expect(readRow('0:{"a":1}\n')).toBe(null)
  expect(readRow('')).toBe(null)
})

test('content can hold no row: a line break in text is escaped', () => {
  const text = JSON.stringify(`\n${writeRow(subscription)}`)
  expect(readRow(`0:{"text":${text}}\n`)).toBe(null)
})

test('what is cut or of another shape is none', () => {
  for (const end of [
    '7e000000:["r1"',
    '7e000000:["r1"]\n',
    '7e000000:{}\n',
    '7e000000:[1,2,3]\n',
  ]) {
    expect(readRow(`0:{}\n${end}`)).toSatisfy((row) => row === null || typeof row === 'object')
  }
  expect(readRow('0:{}\n7e000000:["r1","n"]\n')).toBe(null)
})
