import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { missingImportAdvice } from './missingImportAdvice.ts'

const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'waymark-missing-')))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const files = {
  'package.json': '{ "imports": { "#lib/*": "./lib/*.ts", "#env": { "node": "./env.ts" } } }',
  'tsconfig.json': '{ "extends": "./tsconfig.base.json", /* none */ "include": ["**/*"], }',
  'tsconfig.base.json': `{
    // Paths such as "@/*" contain the start of a comment.
    "compilerOptions": { "paths": { "@/*": ["./*"], "@ui/*": ["./components/ui/*"], "config": ["./config.ts"], }, },
  }`,
  'app/page.tsx': '',
  'components/button.tsx': '',
  'node_modules/installed/package.json': '{}',
  'node_modules/@scope/installed/package.json': '{}',
}
for (const [name, text] of Object.entries(files)) {
  mkdirSync(path.dirname(path.join(root, name)), { recursive: true })
  writeFileSync(path.join(root, name), text)
}

test.each([
  ['lost', 'which is not installed. Run npm install lost, or correct the name.'],
  ['@scope/lost/part', 'which is not installed. Run npm install @scope/lost, or correct the name.'],
  ['Lost.js/a', 'which is not installed. Run npm install Lost.js, or correct the name.'],
  ['./nope', 'which does not exist. Correct the path.'],
  ['../nope.css?inline', 'which does not exist. Correct the path.'],
  ['..', 'which does not exist. Correct the path.'],
  ['/nope', 'which does not exist. Correct the path.'],
  [
    '@/lib/nope',
    'which tsconfig.json maps to lib/nope, but that file does not exist. Correct the path.',
  ],
  [
    '@ui/nope',
    'which tsconfig.json maps to components/ui/nope, but that file does not exist. Correct the path.',
  ],
  [
    'config',
    'which tsconfig.json maps to config.ts, but that file does not exist. Correct the path.',
  ],
  [
    '#lib/nope',
    'which package.json maps to ./lib/nope.ts, but that file does not exist. Correct the path.',
  ],
  ['#nope', 'which "imports" in package.json doesn\'t define. Add the name there, or correct it.'],
  ['#env', 'which "imports" in package.json doesn\'t define. Add the name there, or correct it.'],
  ['node:pat', "which isn't one of Node's modules. Correct the name."],
  ['fs/promise', "which isn't one of Node's modules. Correct the name."],
  [
    'virtual:nope',
    'which no plugin provides. Add the plugin to vite.config.ts, or correct the name.',
  ],
  ['installed/nope', "which the package installed doesn't export. Correct the path."],
  ['@scope/installed/nope', "which the package @scope/installed doesn't export. Correct the path."],
  [
    'components/button',
    "which is not installed. To import the app's own file, write ../components/button.",
  ],
  [['next', 'link'].join('/'), expect.stringContaining('belongs to another framework')],
])('an import of %s: %s', (source, advice) => {
  expect(missingImportAdvice({ source, file: path.join(root, 'app/page.tsx'), root })).toEqual(
    advice,
  )
})

test.each(['@', '~/nope', '$lib/nope', '@@/nope', '_/nope'])(
  'an import of %s is never answered with npm install',
  (source) => {
    const advice = missingImportAdvice({ source, file: path.join(root, 'app/page.tsx'), root })
    expect(advice).not.toContain('npm install')
    expect(advice).toContain('alias')
  },
)

test('a tsconfig.json that is broken or extends itself is ignored', () => {
  for (const text of ['{', '[]', 'null', '{ "extends": "./tsconfig.json" }']) {
    writeFileSync(path.join(root, 'app/tsconfig.json'), text)
    const missing = { source: '@/nope', file: path.join(root, 'app/page.tsx'), root }
    expect(missingImportAdvice(missing)).toContain('nor the name of a package')
  }
})
