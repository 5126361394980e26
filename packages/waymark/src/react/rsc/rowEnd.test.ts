import { expect, test } from 'vitest'
import { rowEnd } from './rowEnd.ts'

test.each([
  ['a model', '1:["$","p",null,{}]\n'],
  ['a text, whatever is in it', '2:T9,a\n1:{}\nb:'],
  ['a text of bytes, not of characters', '2:T4,üü'],
  ['a typed array', '3:o3,\n\n\n'],
  ['an import', '4:I["/a.js",[],"default",1]\n'],
  ['an error', '5:E{"digest":"abc"}\n'],
  ['a hint, without an id', ':HL["/a.css","style"]\n'],
  ['the time origin of development', ':N1795942800000.5\n'],
  ['a literal that begins like a length', '6:false\n'],
])('finds the end of %s', (_, row) => {
  const before = Buffer.from('0:{}\n')
  const bytes = Buffer.concat([before, Buffer.from(row), Buffer.from('7:null\n')])
  expect(rowEnd(bytes, before.length)).toBe(before.length + Buffer.byteLength(row))
})

test.each(['', 'no row', '1:{"cut":'])('finds none in %j', (text) => {
  expect(rowEnd(Buffer.from(text), 0)).toBe(-1)
})
