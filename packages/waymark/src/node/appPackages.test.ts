import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { importAppPackage } from './appPackages.ts'

function appWith(name: string, code: string): string {
  const app = mkdtempSync(path.join(tmpdir(), 'waymark-packages-'))
  onTestFinished(() => rmSync(app, { recursive: true, force: true }))
  const folder = path.join(app, 'node_modules', name)
  mkdirSync(folder, { recursive: true })
  const manifest = { name, type: 'module', exports: { '.': { default: './main.js' } } }
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify(manifest))
  writeFileSync(path.join(folder, 'main.js'), code)
  return app
}

test('a package is found from the folder of the app, not of the framework', async () => {
  const app = appWith('@waymark/drivers-of-a-test', 'export const kind = "installed"')
  const loaded = await importAppPackage(app, '@waymark/drivers-of-a-test', 'A setting')
  expect(loaded).toMatchObject({ kind: 'installed' })
})

test('the error for a missing package says what needs it and how to install it', async () => {
  const app = appWith('other', '')
  await expect(importAppPackage(app, '@waymark/absent', 'A setting')).rejects.toThrow(
    'A setting needs the package @waymark/absent, which is not installed. Run npm install @waymark/absent.',
  )
})

test('an error of a package during loading is passed on unchanged', async () => {
  const app = appWith('@waymark/drivers-of-a-test', 'throw new Error("its own mistake")')
  await expect(importAppPackage(app, '@waymark/drivers-of-a-test', 'A setting')).rejects.toThrow(
    'its own mistake',
  )
})
