import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { loadConfig, withCommonJs } from './loadConfig.ts'

function makeConfig(name: string, code: string, manifest: object) {
  const root = mkdtempSync(path.join(tmpdir(), 'next-load-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  mkdirSync(path.join(root, 'node_modules/wrapper'), { recursive: true })
  const files = {
    'package.json': JSON.stringify(manifest),
    'node_modules/wrapper/package.json': '{ "name": "wrapper", "main": "index.js" }',
    'node_modules/wrapper/index.js':
      'module.exports = (given) => ({ ...given, env: { BY: "wrapper" } })',
    'parts.mjs': "export const base = '/parts'\n",
    'parts.cjs': "module.exports = { base: '/parts' }\n",
    [name]: code,
  }
  for (const [file, text] of Object.entries(files)) writeFileSync(path.join(root, file), text)
  return path.join(root, name)
}

const types = [{}, { type: 'module' }, { type: 'commonjs' }]
const configs = [
  ['next.config.js', "module.exports = { basePath: '/parts' }"],
  ['next.config.js', "/** @type {any} */\nexports.basePath = '/parts'"],
  ['next.config.js', "module.exports = async (phase) => ({ basePath: phase && '/parts' })"],
  [
    'next.config.js',
    "const { base } = require('./parts.cjs')\nmodule.exports = require('wrapper')({ basePath: base })",
  ],
  ['next.config.js', "import { base } from './parts.mjs'\nexport default { basePath: base }"],
  [
    'next.config.js',
    "const wrap = require('wrapper')\nexport default wrap({ basePath: '/parts' })",
  ],
  [
    'next.config.js',
    "exports.__esModule = true\nexports.default = Promise.resolve({ basePath: '/parts' })",
  ],
  [
    'next.config.mjs',
    "import { createRequire } from 'node:module'\nconst require = createRequire(import.meta.url)\nexport default require('wrapper')({ basePath: '/parts' })",
  ],
  [
    'next.config.mjs',
    "export default (phase, { defaultConfig }) => ({ ...defaultConfig, basePath: '/parts' })",
  ],
  [
    'next.config.ts',
    "import { join } from 'node:path'\nimport wrap from 'wrapper'\nconst base: string = join(__dirname, 'parts').slice(__dirname.length)\nexport default wrap({ basePath: base })",
  ],
  [
    'next.config.ts',
    "const wrap = require('wrapper') as (given: object) => object\nmodule.exports = wrap({ basePath: '/parts' })",
  ],
] as const

test.each(types.flatMap((type) => configs.map((config) => [type, ...config] as const)))(
  '%j: %s with %j is read',
  async (type, name, code) => {
    const { basePath } = await loadConfig(makeConfig(name, code, type))
    expect(basePath).toBe('/parts')
  },
)

test("names that a file declares are not replaced, and line numbers don't change", () => {
  const code = 'const require = 1, exports = 2\nmodule.exports = [require, exports, __filename]'
  const [first, second, third] = withCommonJs(code, '/app/next.config.js').split('\n')
  expect(first).toMatch(
    /var __filename = "\/app\/next\.config\.js"; .* const require = 1, exports = 2$/,
  )
  expect(first).not.toContain('var require')
  expect([second, third]).toEqual([
    'module.exports = [require, exports, __filename]',
    'export default module.exports',
  ])
})
