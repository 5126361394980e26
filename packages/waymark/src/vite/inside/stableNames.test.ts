import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { RscPluginManager } from '@vitejs/plugin-rsc'
import { expect, onTestFinished, test } from 'vitest'
import { createModuleNames, sortServerReferences } from './stableNames.ts'

function folderWith(files: readonly string[]): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'waymark-names-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const file of files) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true })
    writeFileSync(path.join(folder, file), '')
  }
  return folder
}

test.each([
  ['a file of the app', 'app', 'app/ui/button.tsx', 'ui/button.tsx'],
  ['a package in the app', 'app', 'app/node_modules/p/x.js', 'node_modules/p/x.js'],
  ['a package above the app', 'app', 'node_modules/p/x.js', 'node_modules/p/x.js'],
  ['a package far above it', 'a/b/c', 'node_modules/p/x.js', 'node_modules/p/x.js'],
  [
    'a package of a package',
    'app',
    'node_modules/q/node_modules/p/x.js',
    'node_modules/q/node_modules/p/x.js',
  ],
  ['a package of the workspace', 'site', 'packages/p/x.js', '../packages/p/x.js'],
])('%s has one name everywhere', (_what, app, file, name) => {
  const folder = folderWith([file])
  expect(createModuleNames(path.join(folder, app))(path.join(folder, file))).toBe(name)
})

test('a query stays in the name', () => {
  const folder = folderWith(['node_modules/p/x.js'])
  const id = `${folder}/node_modules/p/x.js?used`
  expect(createModuleNames(path.join(folder, 'app'))(id)).toBe('node_modules/p/x.js?used')
})

test('a package that is there twice has two names', () => {
  const files = ['app/node_modules/p/x.js', 'node_modules/p/x.js']
  const folder = folderWith(files)
  const nameOf = createModuleNames(path.join(folder, 'app'))
  expect(files.map((file) => nameOf(path.join(folder, file)))).toEqual([
    'node_modules/p/x.js',
    '../node_modules/p/x.js',
  ])
})

test.each([
  [
    'as plugin-rsc keeps them',
    {
      claimMap: new Map([
        ['/b', 1],
        ['/a', 1],
      ]),
    },
  ],
  ['in a plugin-rsc that keeps them in another way', {}],
])('server references are sorted, %s', (_what, claims) => {
  const keyOf = (id: string) => ({ referenceKey: id.slice(1) })
  const metaMap = new Map(['/b', '/a'].map((id) => [id, keyOf(id)]))
  const serverReferences = { metaMap, resolve: keyOf, ...claims }
  sortServerReferences({ serverReferences } as unknown as RscPluginManager)
  expect([...metaMap.keys()]).toEqual(['/a', '/b'])
})
