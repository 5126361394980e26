import { expect, test } from 'vitest'
import { readFlightRows } from './flightRows.ts'

test('rows are told apart by their tags, and a text by its length', () => {
  const text = 'ü\n1:"no row"'
  const bytes = new TextEncoder().encode(text).length
  const data = [
    ':HL["/a.css","style"]\n',
    '2:I["id",["/a.js"],"Button"]\n',
    `3:T${bytes.toString(16)},${text}`,
    '1:D"$4"\n',
    '4:{"name":"Page"}\n',
    '0:["$","p",null,{}]\n',
  ]
  const whole = new TextEncoder().encode(data.join(''))
  const rows = readFlightRows(whole)
  expect(rows.map(({ id, kind, isDevOnly }) => [id, kind, isDevOnly])).toEqual([
    ['–', 'hint', false],
    ['2', 'client component', false],
    ['3', 'text', false],
    ['1', 'debug', true],
    ['4', 'debug', true],
    ['0', 'elements and data', false],
  ])
  expect(rows.reduce((sum, row) => sum + row.bytes, 0)).toBe(whole.length)
})

test('what is no payload, or is cut, ends the list', () => {
  expect(readFlightRows(new TextEncoder().encode('<h1>no</h1>'))).toEqual([])
  expect(readFlightRows(new TextEncoder().encode('1:Tzz,'))).toEqual([])
})
