import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { commonNames } from './commonPlugin.ts'

const client = "'use strict'\n'use client'\n"

test.each([
  ['exports.A = exports.b = void 0; exports["c"] = 1', ['A', 'b', 'c']],
  ['module.exports.A = 1; module.exports = { b, "c": 2, [d]: 3 }', ['A', 'b', 'c']],
  ['Object.defineProperty(exports, "A", { enumerable: true, get: () => b })', ['A']],
  ['module.exports = e(p({}, "__esModule", { value: true }))', ['__esModule']],
  // Code as a minifier writes it.
  ['var o={};_(o,{default:()=>re,useA:()=>O});module.exports=e(o)', ['useA']],
  ['_export(exports, { A: function () { return b } })', ['A']],
  ['module.exports = function A() {}', []],
  ['exports.__esModule = true; exports["a-b"] = exports.delete = 1', ['__esModule']],
])('finds names in %s', (code, names) => {
  expect(commonNames('/a.js', client + code)?.sort()).toEqual([...names, 'default'].sort())
})

test.each(['exports.A = 1', "'use client'\nexport const A = 1", "'use client'\nexports.A = ("])(
  'leaves %j unchanged',
  (code) => expect(commonNames('/a.js', code)).toBe(null),
)

test('follows re-exports from other files, also circular ones', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'next-common-'))
  const write = (name: string, text: string) => writeFileSync(path.join(folder, name), text)
  write('b.js', "exports.B = 1; __reExport(c, require('./c.js'), module.exports)")
  write(
    'c.js',
    "module.exports = { ...require('./d.mjs'), C: 1 }; __exportStar(require('./b'), exports)",
  )
  write('d.mjs', 'export const D = 1\nexport default 2')
  try {
    const code = `${client}__exportStar(require('./b'), exports); require('./e'); exports.A = 1`
    const names = commonNames(path.join(folder, 'a.js'), code)
    expect(names?.sort()).toEqual(['A', 'B', 'C', 'D', 'default'])
  } finally {
    rmSync(folder, { recursive: true })
  }
})
