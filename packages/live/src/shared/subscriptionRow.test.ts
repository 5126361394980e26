import { expect, test } from 'vitest'
import { readRow, writeRow } from './subscriptionRow.ts'

const subscription = { rendering: 'r1', reads: 'names', sealed: 'sealed', isStale: true }

test('a row at the end of a payload is read back as it was written', () => {
  expect(readRow(`0:{"a":1}\n${writeRow(subscription)}`)).toEqual(subscription)
  expect(readRow(`0:{"a":1}\n${writeRow(subscription)}#0000abcd\n`)).toEqual(subscription)
})

test('a page that is not live has no row', () => {
  expect(readRow('0:{"a":1}\n')).toBe(null)
  expect(readRow('')).toBe(null)
})

test('content cannot fake a row, because line breaks in text are escaped', () => {
  const text = JSON.stringify(`\n${writeRow(subscription)}`)
  expect(readRow(`0:{"text":${text}}\n`)).toBe(null)
})

test('a row that is cut off or malformed is ignored', () => {
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
