import { parseAst } from 'vite'
import { expect, test } from 'vitest'
import { wrapImports } from './bundlesPlugin.ts'

const wrap = (code: string) => wrapImports(code, parseAst(code))

test('wraps import() of the app’s own files, and keeps lines', () => {
  const code = `'use client'
const part = () => import('./part.js').then((it) => import("@/tool"))`
  expect(wrap(code)?.split('\n').slice(0, 2)).toEqual([
    "'use client'",
    `const part = () => __waymark_preload(() => import('./part.js')).then((it) => __waymark_preload(() => import("@/tool")))`,
  ])
  expect(() => parseAst(wrap(code) ?? '')).not.toThrow()
})

test('wraps one inside of another', () => {
  const code = 'f(() => import("./a").then(() => { import("./b") }), import("./c"))'
  expect(wrap(code)?.match(/__waymark_preload\(\(\) => import/g)).toHaveLength(3)
})

test.each([
  'import("package")',
  'import(path)',
  'import("./" + name)',
  'import("./a.json", { with: { type: "json" } })',
  'const text = \'import("./a")\' // import("./a")',
])('leaves %s', (code) => {
  expect(wrap(code)).toBeNull()
})
