// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are code
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { __nextImport } from './dynamicImport.ts'
import { withGlobImports } from './dynamicImportPlugin.ts'
import { tsconfigAliases } from './jsconfigAliases.ts'

/** Returns the computed path and the first pattern of the only import in some code. */
function changed(code: string, file = '/app/lib/a.tsx', aliases = tsconfigAliases('/app')) {
  const [line = ''] = withGlobImports(file, code, aliases).split('\n')
  const [, template, globs] =
    /^__nextImport\((`.*`), import\.meta\.glob\((\[.*?\])\)\)$/.exec(line) ?? []
  return [template, JSON.parse(globs ?? '[]')[0]]
}

test.each([
  ["import('../posts/' + slug + '/a.js')", '`../posts/${slug}/a.js`', '../posts/**/a.js'],
  ["import('./' + (a + b) + `/${c}.mdx`)", '`./${(a + b)}/${c}.mdx`', './**/**/*.mdx'],
  ["import('./a`(b' + f(x) + '.js')", '`./a\\`(b${f(x)}.js`', './a`\\(b*.js'],
  ['import(`../lib/part-${x}.js`)', '`./part-${x}.js`', './part-*.js'],
  ["import('./' + name)", '`./${name}`', './**/*.{js,mjs,tsx,ts,jsx,json,mdx}'],
  ['import(`./${n}/view`)', '`./${n}/view`', './**/view.{js,mjs,tsx,ts,jsx,json,mdx}'],
])('%s imports %s', (code, template, glob) => {
  expect(changed(code)).toEqual([template, glob])
})

test.each([
  "import('./a.js')",
  'import(name)',
  "import(base + '/a.js')",
  'import(`./a.js`)',
  "import('node:' + name)",
  "import(/* webpackIgnore: true */ './' + name)",
])('%s is not changed', (code) => {
  expect(withGlobImports('/app/a.tsx', code)).toBe(code)
})

test.each([
  ['import(`@/content/${slug}.mdx`)', '../content/${slug}.mdx'],
  ["import('@/content/posts/' + slug + '.mdx')", '../content/posts/${slug}.mdx'],
  ['import(`#lib/part-${name}.ts`)', './part-${name}.ts'],
])('%s with paths in tsconfig.json imports %s', (code, template) => {
  const root = mkdtempSync(path.join(tmpdir(), 'next-paths-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  writeFileSync(path.join(root, 'tsconfig.json'), '{ "extends": "./tsconfig.base.json" }')
  const paths = { '@/*': ['./*'], '#lib/*': ['./lib/*'] }
  const base = JSON.stringify({ extends: 'some-preset', compilerOptions: { paths } })
  writeFileSync(path.join(root, 'tsconfig.base.json'), base)
  const file = path.join(root, 'lib/page.tsx')
  expect(changed(code, file, tsconfigAliases(root))[0]).toBe(`\`${template}\``)
})

const modules = Object.fromEntries(
  ['../posts/a/chart.jsx', './b.ts', './c/index.tsx', './d.js', './d.ts'].map((file) => [
    file,
    async () => file,
  ]),
)

test.each([
  ['../posts/a/chart.jsx', '../posts/a/chart.jsx'],
  ['../posts/./a//chart', '../posts/a/chart.jsx'],
  ['./b', './b.ts'],
  ['./x/../b.ts', './b.ts'],
  ['./c', './c/index.tsx'],
  ['./d', './d.js'],
])('%s leads to %s', async (file, expected) => {
  expect(await __nextImport(file, modules)).toBe(expected)
})

test('a path without a file is rejected with the code that apps check', async () => {
  await expect(__nextImport('./e', modules)).rejects.toMatchObject({
    code: 'MODULE_NOT_FOUND',
    message: "Cannot find module './e'",
  })
})
