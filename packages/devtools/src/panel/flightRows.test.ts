import { expect, test } from 'vitest'
import { readFlightRows, withoutFrames } from './flightRows.ts'

test('rows are split by their tags, and text rows by their length', () => {
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

test('the list ends at data that is truncated or not a payload', () => {
  expect(readFlightRows(new TextEncoder().encode('<h1>no</h1>'))).toEqual([])
  expect(readFlightRows(new TextEncoder().encode('1:Tzz,'))).toEqual([])
})

test('the frames of page data are removed from a payload', () => {
  const data = '00000004\n0:1\n=00000000\n00000000\n=00000000\n00000006\n1:"a"\n#00000000\n'
  const read = (text: string) =>
    new TextDecoder().decode(withoutFrames(new TextEncoder().encode(text)))
  expect(read(data)).toBe('0:1\n1:"a"\n')
  expect(read(data.slice(0, 12))).toBe('0:1')
  expect(read('<h1>no</h1>')).toBe('')
})
