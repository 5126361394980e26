import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { isBuilt } from './buildWhenNeeded.ts'

function createBuiltApp(): string {
  const root = mkdtempSync(join(tmpdir(), 'waymark-built-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  mkdirSync(join(root, 'app/admin'), { recursive: true })
  writeFileSync(join(root, 'app/admin/layout.tsx'), '')
  writeFileSync(join(root, 'app/admin/page.tsx'), '')
  mkdirSync(join(root, '.waymark'))
  const facts = join(root, '.waymark/build.json')
  writeFileSync(facts, '{}')
  // Some file systems store times with a low resolution.
  const now = Date.now() / 1000
  for (const name of ['app', 'app/admin', 'app/admin/layout.tsx', 'app/admin/page.tsx']) {
    utimesSync(join(root, name), now - 100, now - 100)
  }
  utimesSync(facts, now - 50, now - 50)
  return root
}

test('an app without changes since its build is built', () => {
  expect(isBuilt(createBuiltApp())).toBe(true)
})

test.each([
  ['a changed file', (root: string) => writeFileSync(join(root, 'app/admin/page.tsx'), '1')],
  ['a new file', (root: string) => writeFileSync(join(root, 'app/admin/error.tsx'), '')],
  ['a deleted layout', (root: string) => rmSync(join(root, 'app/admin/layout.tsx'))],
  ['a deleted build', (root: string) => rmSync(join(root, '.waymark'), { recursive: true })],
])('%s needs a build', (_, change) => {
  const root = createBuiltApp()
  change(root)
  expect(isBuilt(root)).toBe(false)
})

test('the contract that a command writes needs no build', () => {
  const root = createBuiltApp()
  writeFileSync(join(root, 'contract.txt'), '')
  expect(isBuilt(root)).toBe(true)
})
