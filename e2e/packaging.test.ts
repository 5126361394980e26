import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { root } from '../scripts/workspace/paths.mjs'
import {
  expectPublishable,
  expectRun,
  packPackage,
  serveInstalled,
} from './harness/packedPackage.ts'
import { appSource } from './harness/paths.ts'

let folder = ''
let tarball = ''
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'waymark-packaging-'))
  tarball = await packPackage('waymark', folder)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('the packed package', () => {
  test('has entries that publint finds right', () => expectPublishable(tarball))

  test('has types that resolve from an ES module', async () => {
    const attw = join(root, 'node_modules/@arethetypeswrong/cli/dist/index.js')
    await expectRun(process.execPath, [attw, tarball, '--profile', 'esm-only'], folder)
  })

  test('holds no tests', async () => {
    const listing = await expectRun('tar', ['-tzf', tarball], folder)
    expect(listing.split('\n').filter((name) => /\.test\.|\/testing\//.test(name))).toEqual([])
    expect(listing).toContain('package/LICENSE')
    expect(listing).toContain('package/CHANGELOG.md')
    expect(listing).toContain('package/dist/docs/actions.md')
  })

  test('builds and serves an app outside of the workspace', { timeout: 240_000 }, async () => {
    const app = join(folder, 'app-of-a-user')
    layOutApp(app)
    const packages = [tarball, 'react@19.3.1', 'react-dom@19.3.1']
    await expectRun('npm', ['install', ...packages], app)
    await expectRun('npx', ['waymark', 'build'], app)
    const server = await serveInstalled(app, 'start')
    try {
      const response = await fetch(`${server.origin}/`)
      expect(response.status).toBe(200)
      const html = await response.text()
      expect(html).toContain('<h1>It runs</h1>')
      const [, script = ''] = /<script[^>]* src="([^"]+)"/.exec(html) ?? []
      expect((await fetch(new URL(script, response.url))).status).toBe(200)
    } finally {
      await server.stop()
    }
  })
})

function layOutApp(app: string) {
  const files = ['app/layout.tsx', 'app/page.tsx', 'app/counter.tsx']
  for (const file of files) {
    mkdirSync(dirname(join(app, file)), { recursive: true })
    writeFileSync(join(app, file), readFileSync(join(appSource('basic'), file)))
  }
  writeFileSync(join(app, 'package.json'), '{ "name": "app-of-a-user", "private": true }\n')
}
