import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { jsconfigAliases } from './jsconfigAliases.ts'

function resolveIn(jsconfig: string, id: string, others: readonly string[] = []) {
  const root = mkdtempSync(path.join(tmpdir(), 'next-jsconfig-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  for (const folder of ['src/lib', 'components', 'node_modules/models', 'models']) {
    mkdirSync(path.join(root, folder), { recursive: true })
  }
  for (const file of others) writeFileSync(path.join(root, file), '{}')
  writeFileSync(path.join(root, 'jsconfig.json'), jsconfig)
  const alias = jsconfigAliases(root).find(({ find }) => (find as RegExp).test(id))
  return alias ? path.relative(root, id.replace(alias.find, alias.replacement)) : null
}

const paths = (aliases: object) => JSON.stringify({ compilerOptions: { paths: aliases } })

test.each([
  [paths({ '@/*': ['./src/*'] }), '@/lib/a', 'src/lib/a'],
  [paths({ '@/*': ['missing/*', 'src/*'] }), '@/lib/a', 'src/lib/a'],
  [paths({ '@/*': ['./*'] }), '@scope/lib', null],
  [paths({ own: ['./src/lib/index.js'] }), 'own', 'src/lib/index.js'],
  [paths({ '@components/*': ['components/*'] }), '@components/Nav', 'components/Nav'],
  [
    '{ // paths\n "compilerOptions": { "baseUrl": ".", }, /* end */ }',
    'components/a',
    'components/a',
  ],
  ['{ "compilerOptions": { "baseUrl": "src" } }', 'lib', 'src/lib'],
  ['{ "compilerOptions": { "baseUrl": "." } }', 'models/user', null],
  ['{}', 'components/a', null],
])('%s resolves %s to %s', (jsconfig, id, expected) => {
  expect(resolveIn(jsconfig, id)).toBe(expected)
})

test('tsconfig.json takes precedence', () => {
  expect(resolveIn(paths({ '@/*': ['./src/*'] }), '@/a', ['tsconfig.json'])).toBe(null)
})
