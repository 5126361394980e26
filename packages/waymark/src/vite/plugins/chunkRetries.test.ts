import { parseAst } from 'vite'
import { expect, test } from 'vitest'
import { renameImports, wrapImports } from './chunkRetries.ts'

const isRepeated = (path: string) => path !== './empty.js'
const inOtherChunk = { isRepeated, definesHelper: false }

test.each([
  ['import("./a-1.js")', '$chunk("./a-1.js")'],
  ['f(()=>import(`./a-1.js`).then(e=>e.t),[1])', 'f(()=>$chunk(`./a-1.js`).then(e=>e.t),[1])'],
  ['import("./a.js").then(()=>import("./b.js"))', '$chunk("./a.js").then(()=>$chunk("./b.js"))'],
])('makes %s load with retries, without changing its length', async (code, expected) => {
  expect(await renameImports(code, inOtherChunk)).toBe(expected)
  expect(expected).toHaveLength(code.length)
})

test.each([
  'import("package")',
  'import("https://example.com/a.js")',
  'import("/a.js")',
  'import("../a.js")',
  'import("./empty.js")',
  'import(path)',
  'import.meta.url',
  'const text = \'import("./a.js")\'',
  'const $chunk = 1; import("./a.js")',
])('leaves %s unchanged', async (code) => {
  expect(await renameImports(code, inOtherChunk)).toBeNull()
})

test('also renames imports in the chunk that defines the helper', async () => {
  const code = 'Object.assign(window,{$chunk:f});import("./router.js")'
  expect(await renameImports(code, { isRepeated, definesHelper: true })).toBe(
    'Object.assign(window,{$chunk:f});$chunk("./router.js")',
  )
})

const inApp = async (source: string) => (source.startsWith('../') ? null : `app/${source}`)

test("wraps import() of the app's own files without changing lines", async () => {
  const code = `'use client'
const part = () => import('./part.js').then((it) => import("@/tool"))`
  const wrapped = await wrapImports(code, inApp)
  expect(wrapped?.split('\n').slice(0, 2)).toEqual([
    "'use client'",
    `const part = () => __waymark_import(import.meta.env.BASE_URL + "app/./part.js", import('./part.js')).then((it) => __waymark_import(import.meta.env.BASE_URL + "app/@/tool", import("@/tool")))`,
  ])
  expect(() => parseAst(wrapped ?? '')).not.toThrow()
})

test('wraps import() of a file outside the app without a URL', async () => {
  expect(await wrapImports('import("../shared")', inApp)).toContain(
    '__waymark_import(null, import("../shared"))',
  )
})

test('wraps nested imports', async () => {
  const code = 'f(() => import("./a").then(() => { import("./b") }), import("./c"))'
  const wrapped = await wrapImports(code, inApp)
  expect(wrapped?.match(/__waymark_import\([^,]+, import/g)).toHaveLength(3)
})

test.each([
  'import("package")',
  'import(path)',
  'import("./" + name)',
  'import("./a.json", { with: { type: "json" } })',
  'const text = \'import("./a")\' // import("./a")',
])('leaves %s unchanged in development', async (code) => {
  expect(await wrapImports(code, inApp)).toBeNull()
})
