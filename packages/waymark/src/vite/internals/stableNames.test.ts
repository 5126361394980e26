import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { RscPluginManager } from '@vitejs/plugin-rsc'
import { expect, onTestFinished, test } from 'vitest'
import { createChunkNames, createModuleNames, sortServerReferences } from './stableNames.ts'

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
])('%s has the same name everywhere', (_what, app, file, name) => {
  const folder = folderWith([file])
  expect(createModuleNames(path.join(folder, app))(path.join(folder, file))).toBe(name)
})

test('a query stays in the name', () => {
  const folder = folderWith(['node_modules/p/x.js'])
  const id = `${folder}/node_modules/p/x.js?used`
  expect(createModuleNames(path.join(folder, 'app'))(id)).toBe('node_modules/p/x.js?used')
})

test('a package that is installed twice has two names', () => {
  const files = ['app/node_modules/p/x.js', 'node_modules/p/x.js']
  const folder = folderWith(files)
  const nameOf = createModuleNames(path.join(folder, 'app'))
  expect(files.map((file) => nameOf(path.join(folder, file)))).toEqual([
    'node_modules/p/x.js',
    '../node_modules/p/x.js',
  ])
})

test('server references are sorted', () => {
  const keyOf = (id: string) => ({ referenceKey: id.slice(1) })
  const metaMap = new Map(['/b', '/a'].map((id) => [id, keyOf(id)]))
  const claimMap = new Map(['/b', '/a'].map((id) => [id, new Map()]))
  const serverReferences = { metaMap, claimMap, resolve: keyOf }
  sortServerReferences({ serverReferences } as unknown as RscPluginManager)
  expect([...metaMap.keys()]).toEqual(['/a', '/b'])
  expect([...claimMap.keys()]).toEqual(['/a', '/b'])
})

test("the name of a chunk doesn't depend on the path that plugin-rsc chose", () => {
  const namesFor = (serverChunk: string) => {
    const nameOf = createChunkNames()
    const ids = ['ui/b.tsx', 'ui/a.tsx']
    return ids.map((normalizedId) =>
      nameOf({ id: `/app/${normalizedId}`, normalizedId, serverChunk }),
    )
  }
  expect(namesFor('shared:ui/a.tsx')).toEqual(['shared:ui/b.tsx', 'shared:ui/b.tsx'])
  expect(namesFor('shared:ui/b.tsx')).toEqual(namesFor('shared:ui/a.tsx'))
  expect(namesFor('facade:app/page.tsx')).toEqual(['facade:app/page.tsx', 'facade:app/page.tsx'])
})
