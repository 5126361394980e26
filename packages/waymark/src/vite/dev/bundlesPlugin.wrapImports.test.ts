import { parseAst } from 'vite'
import { expect, test } from 'vitest'
import { wrapImports } from './bundlesPlugin.ts'

test('wraps import() of the app’s own files, and keeps lines', async () => {
  const code = `'use client'
const part = () => import('./part.js').then((it) => import("@/tool"))`
  const wrapped = await wrapImports(code)
  expect(wrapped?.split('\n').slice(0, 2)).toEqual([
    "'use client'",
    `const part = () => __waymark_preload(() => import('./part.js')).then((it) => __waymark_preload(() => import("@/tool")))`,
  ])
  expect(() => parseAst(wrapped ?? '')).not.toThrow()
})

test('wraps one inside of another', async () => {
  const code = 'f(() => import("./a").then(() => { import("./b") }), import("./c"))'
  expect((await wrapImports(code))?.match(/__waymark_preload\(\(\) => import/g)).toHaveLength(3)
})

test.each([
  'import("package")',
  'import(path)',
  'import("./" + name)',
  'import("./a.json", { with: { type: "json" } })',
  'const text = \'import("./a")\' // import("./a")',
])('leaves %s', async (code) => {
  expect(await wrapImports(code)).toBeNull()
})
