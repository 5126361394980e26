import { expect, test } from 'vitest'
import { hasOnlyLines } from './payloadLines.ts'

test.each([
  [
    'models, client references, hints and errors',
    '1:I["f",[],"A",1]\n:HL["a","style"]\n2:E{}\n',
    true,
  ],
  ['values', '1:null\n2:true\n3:-1\n4:"a\\nb"\n5:false\n', true],
  ['a stream', '1:X\n1:"a"\n1:C\n0:["$@1"]\n', true],
  ['a long text', '1:T5,hello0:{}\n', false],
  ['binary data', '1:o3,abc0:{}\n', false],
  ['a row of an unknown kind', '1:?3,abc\n', false],
  ['a row that was cut off', '0:{}\n1:{', false],
])('%s', (_, text, expected) => {
  expect(hasOnlyLines(text)).toBe(expected)
})
