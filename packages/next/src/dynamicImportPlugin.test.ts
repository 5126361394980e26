// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are code
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { withTemplateImports } from './dynamicImportPlugin.ts'
import { tsconfigAliases } from './jsconfigAliases.ts'

const changed = (code: string) => withTemplateImports('a.tsx', code).split('\n')[0]

test.each([
  ["import('../posts/' + slug + '/a.js')", '`../posts/${slug}/a.js`'],
  ["import('./' + (a + b) + `/${c}.mdx`)", '`./${(a + b)}/${c}.mdx`'],
  ['import(`@/content/${slug}.mdx`)', '`@/content/${slug}.mdx`'],
  ["import('./a`b' + f(x) + '.js')", '`./a\\`b${f(x)}.js`'],
])('%s imports %s', (code, template) => {
  expect(changed(code)).toBe(`import(${template}).catch(__nextRejectMissing)`)
})

test.each([
  "import('./a.js')",
  'import(name)',
  "import(base + '/a.js')",
  'import(`./a.js`)',
  "import('node:' + name)",
])('%s is not changed', (code) => {
  expect(withTemplateImports('a.tsx', code)).toBe(code)
})

test.each([
  ['import(`@/content/${slug}.mdx`)', '../content/${slug}.mdx'],
  ["import('@/content/posts/' + slug + '.mdx')", '../content/posts/${slug}.mdx'],
  ['import(`#lib/part-${name}.ts`)', './part-${name}.ts'],
  ['import(`~/${name}.ts`)', '~/${name}.ts'],
])('%s with paths in tsconfig.json imports %s', (code, template) => {
  const root = mkdtempSync(path.join(tmpdir(), 'next-paths-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  writeFileSync(path.join(root, 'tsconfig.json'), '{ "extends": "./tsconfig.base.json" }')
  const paths = { '@/*': ['./*'], '#lib/*': ['./lib/*'] }
  const base = JSON.stringify({ extends: 'some-preset', compilerOptions: { paths } })
  writeFileSync(path.join(root, 'tsconfig.base.json'), base)
  const file = path.join(root, 'lib/page.tsx')
  const [line] = withTemplateImports(file, code, tsconfigAliases(root)).split('\n')
  expect(line).toBe(`import(\`${template}\`).catch(__nextRejectMissing)`)
})
