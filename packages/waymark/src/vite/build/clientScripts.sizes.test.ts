import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { buildLayout } from '../../builds/buildManifest.ts'
import { replaceMeasured, sharedScripts } from './clientScripts.ts'

test('what two pages load is shared, and what the framework brings along', () => {
  const pages = [new Set(['/entry.js', '/a.js', '/both.js']), new Set(['/entry.js', '/both.js'])]
  expect([...sharedScripts(pages, new Set(['/entry.js']))].sort()).toEqual([
    '/both.js',
    '/entry.js',
  ])
  expect([...sharedScripts(pages.slice(0, 1), new Set(['/entry.js']))]).toEqual(['/entry.js'])
})

test('the routes of a build are read by the next; without a build there are none', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'waymark-sizes-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const sizes = { ownJs: 1, sharedJs: 2, html: null }
  const routes = [{ pattern: '/', file: 'page.tsx', sizes }]
  expect(await replaceMeasured(folder, routes)).toBeNull()
  expect(await replaceMeasured(folder, [])).toEqual(routes)
  expect(await replaceMeasured(folder, routes)).toEqual([])
  for (const text of ['{', '{"version":2,"routes":[]}']) {
    writeFileSync(join(folder, buildLayout.sizes), text)
    expect(await replaceMeasured(folder, routes)).toBeNull()
  }
})
