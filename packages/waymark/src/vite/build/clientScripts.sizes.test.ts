import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { buildLayout } from '../../builds/buildManifest.ts'
import { replaceMeasured, sharedScripts } from './clientScripts.ts'

test("scripts that two pages load, and the framework's scripts, are shared", () => {
  const pages = [new Set(['/entry.js', '/a.js', '/both.js']), new Set(['/entry.js', '/both.js'])]
  expect([...sharedScripts(pages, new Set(['/entry.js']))].sort()).toEqual([
    '/both.js',
    '/entry.js',
  ])
  expect([...sharedScripts(pages.slice(0, 1), new Set(['/entry.js']))]).toEqual(['/entry.js'])
})

test('the next build reads the measured routes, and the first build has none', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'waymark-sizes-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const sizes = { pageJs: 1, sharedJs: 2, idleJs: 4, html: null }
  const routes = [{ pattern: '/', file: 'page.tsx', sizes }]
  expect(await replaceMeasured(folder, routes)).toBeNull()
  expect(await replaceMeasured(folder, [])).toEqual(routes)
  expect(await replaceMeasured(folder, routes)).toEqual([])
  for (const text of ['{', '{"version":3,"routes":[]}']) {
    writeFileSync(join(folder, buildLayout.sizes), text)
    expect(await replaceMeasured(folder, routes)).toBeNull()
  }
})

test('the sizes of an older version are compared, too', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'waymark-sizes-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const routes = [{ pattern: '/', file: 'page.tsx', sizes: { pageJs: 1, sharedJs: 2, html: null } }]
  writeFileSync(join(folder, buildLayout.sizes), JSON.stringify({ version: 1, routes }))
  expect(await replaceMeasured(folder, [])).toEqual(routes)
})
