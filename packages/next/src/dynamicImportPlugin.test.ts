// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are code
import { expect, test } from 'vitest'
import { withTemplateImports } from './dynamicImportPlugin.ts'

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
