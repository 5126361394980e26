import { expect, test } from 'vitest'
import { createPayloadScanner } from './payloadScanner.ts'

const passive = new Set(['slots#Slot'])
const slot = '1:I["slots",[],"Slot",1]\n'
const button = '2:I["button",[],"Button",1]\n'

function read(...parts: string[]) {
  const reader = createPayloadScanner(passive)
  for (const part of parts) reader.read(part)
  return reader
}

test.each([
  ['a page of the server alone', [`${slot}0:["$","$L1",null,{}]\n`], false],
  ['a component of the app', [`${slot}${button}0:["$","$L2",null,{}]\n`], true],
  ['one that is handed over, as an error screen is', [`${button}0:{"error":"$2"}\n`], false],
  ['one that is shown by a later part', [button, '0:["$","$L', '2",null,{}]\n'], true],
  ['a row cut in two', ['2:I["butt', 'on",[],"Button",1]\n0:["$","$L2",null]\n'], true],
  ['one behind a text that has no end', [`3:T5,hello${button}`], true],
  ['another export of a passive file', ['1:I["slots",[],"Else",1]\n0:"$L1"\n'], true],
  ['a part that failed', [`${slot}4:E{"digest":"x"}\n`], true],
  ['a server action', ['5:{"id":"a"}\n0:{"action":"$h5"}\n'], true],
  ['a page that is kept current', ['0:{}\n7e000000:["r","n","s",false]\n'], true],
  ['one that says so in a part of its own', ['0:{}\n', '7e000000:["r","n","s",false]\n'], true],
  ['one that says so in halves', ['0:{}\n7e00', '0000:["r","n","s",false]\n'], true],
  ['words that look like rows', ['0:["2:I[\\"button\\",[],\\"B\\"]","$$h"]\n'], false],
  ['a reference of the dev server', ['1:I["slots$$cache=ab",[],"Slot",1]\n0:"$L1"\n'], false],
  [
    'one whose file has a row of its own',
    [':N1\n2:"slots$$cache=ab"\n1:I["$2",[],"Slot",1]\n0:"$L1"\n'],
    false,
  ],
  [
    'what the dev server adds',
    ['1:I["/@id/__x00__virtual:vite-rsc/css",[],"default",1]\n0:"$L1"\n'],
    false,
  ],
  [
    'a component of a package, in the dev server',
    ['1:I["/@id/__x00__virtual:vite-rsc/client-in-server-package-proxy/a.js",[],"A",1]\n0:"$L1"\n'],
    true,
  ],
])('%s', (_, parts, isInteractive) => {
  expect(read(...parts).isInteractive).toBe(isInteractive)
})

test('the client files that a payload names are known, whatever it does with them', () => {
  expect([...read(slot, button).files]).toEqual(['slots', 'button'])
})

test('so many that no page has them are not looked for', () => {
  const text = Array.from({ length: 2000 }, (_, at) => `:I["file${at}",[],"a"]\n`).join('')
  const reader = read(`3:T99,${text}`)
  expect([reader.files.size, reader.isInteractive]).toEqual([1000, true])
})
