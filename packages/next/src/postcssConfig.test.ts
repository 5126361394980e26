import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readPostcss } from './postcssConfig.ts'

/** Plugins as packages publish them: an ES module, CommonJS, and CommonJS compiled from ES. */
const packages = {
  'node_modules/by-module/package.json':
    '{ "name": "by-module", "type": "module", "exports": { "import": "./index.js" } }',
  'node_modules/by-module/index.js':
    "export default (options) => ({ postcssPlugin: 'by-module', options })\n",
  'node_modules/by-common/package.json': '{ "name": "by-common", "main": "index.js" }',
  'node_modules/by-common/index.js':
    "module.exports = (options) => ({ postcssPlugin: 'by-common', options })\nmodule.exports.postcss = true\n",
  'node_modules/@kit/compiled/package.json': '{ "name": "@kit/compiled", "main": "index.js" }',
  'node_modules/@kit/compiled/index.js':
    "exports.__esModule = true\nexports.default = (options) => ({ postcssPlugin: 'compiled', options })\n",
}

function makeApp(files: Readonly<Record<string, string>>) {
  const root = mkdtempSync(path.join(tmpdir(), 'next-postcss-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  for (const [file, text] of Object.entries({ 'package.json': '{}', ...packages, ...files })) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true })
    writeFileSync(path.join(root, file), text)
  }
  return root
}

test.each([
  ['postcss.config.mjs', 'const config = { plugins: ["by-module"] };\nexport default config;'],
  ['postcss.config.js', "module.exports = { plugins: ['by-module'] }"],
  ['postcss.config.ts', "export default { plugins: ['by-module'] as string[] }"],
  ['.postcssrc.json', '{ "plugins": ["by-module"] }'],
  ['.postcssrc', '{ "plugins": ["by-module"] }'],
  ['package.json', '{ "postcss": { "plugins": ["by-module"] } }'],
])('%s may name plugins by strings', async (file, text) => {
  const postcss = await readPostcss(makeApp({ [file]: text }))
  expect(postcss).toEqual({ plugins: [{ postcssPlugin: 'by-module', options: undefined }] })
})

test('plugins have options, can be turned off, and may be functions', async () => {
  const postcss = await readPostcss(
    makeApp({
      'own.mjs': "export default () => ({ postcssPlugin: 'own' })",
      'postcss.config.mjs': `export default {
        map: false,
        plugins: [
          ['by-common', { stage: 3 }],
          ['@kit/compiled', true],
          ['not-installed', false],
          process.env.NO_SUCH_VARIABLE && 'not-installed',
          './own.mjs',
          { postcssPlugin: 'inline' },
        ],
      }`,
    }),
  )
  expect(postcss).toEqual({
    map: false,
    plugins: [
      { postcssPlugin: 'by-common', options: { stage: 3 } },
      { postcssPlugin: 'compiled', options: undefined },
      { postcssPlugin: 'own' },
      { postcssPlugin: 'inline' },
    ],
  })
})

test('finds the configuration of a workspace above the app', async () => {
  const root = makeApp({
    'package.json': '{ "workspaces": ["apps/*"] }',
    'postcss.config.mjs': "export default { plugins: ['by-common'] }",
    'apps/web/package.json': '{}',
  })
  const postcss = await readPostcss(path.join(root, 'apps/web'))
  expect(postcss?.plugins).toHaveLength(1)
})

test.each([
  ['an object', 'postcss.config.mjs', "export default { plugins: { 'not-installed': [] } }"],
  [
    'imported plugins',
    'postcss.config.mjs',
    "export default { plugins: [{ postcssPlugin: 'a' }] }",
  ],
  ['a function', 'postcss.config.js', 'module.exports = () => ({ plugins: [] })'],
  ['YAML', '.postcssrc', 'plugins:\n  not-installed: {}'],
])('leaves %s to Vite', async (_, file, text) => {
  expect(await readPostcss(makeApp({ [file]: text }))).toBe(null)
})

test('names the plugin and the file if a plugin is missing', async () => {
  const root = makeApp({ 'postcss.config.mjs': "export default { plugins: ['not-installed'] }" })
  await expect(readPostcss(root)).rejects.toThrow(
    /^postcss\.config\.mjs names the plugin not-installed, which can't be loaded: .*not-installed/,
  )
})
