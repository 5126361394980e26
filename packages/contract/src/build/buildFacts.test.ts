import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { hasDeletedModules } from './buildFacts.ts'

test('a module of the build that is missing, such as proxy.ts, is noticed', () => {
  const root = mkdtempSync(join(tmpdir(), 'waymark-facts-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  expect(hasDeletedModules(root)).toBe(false)
  mkdirSync(join(root, '.waymark'))
  writeFileSync(join(root, '.waymark/contract.json'), '{"imports":{"proxy.ts":[]}}')
  writeFileSync(join(root, 'proxy.ts'), '')
  expect(hasDeletedModules(root)).toBe(false)
  rmSync(join(root, 'proxy.ts'))
  expect(hasDeletedModules(root)).toBe(true)
})
