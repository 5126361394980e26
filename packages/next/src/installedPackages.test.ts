import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

// pnpm runs programs with NODE_PATH, which holds the dependencies of other packages.
test('a package in NODE_PATH is not installed for the app', () => {
  const root = mkdtempSync(path.join(tmpdir(), 'waymark-installed-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const hidden = path.join(root, 'node_modules/.pnpm/node_modules')
  for (const folder of [path.join(hidden, 'hidden'), path.join(root, 'node_modules/own')]) {
    mkdirSync(folder, { recursive: true })
    writeFileSync(path.join(folder, 'package.json'), '{}')
  }
  const app = path.join(root, 'apps/web')
  const module = path.join(import.meta.dirname, '../dist/installedPackages.js')
  const code = `import { installed } from ${JSON.stringify(module)}
    console.log(installed(['hidden', 'own', 'missing'], ${JSON.stringify(app)}).join())`
  const env = { ...process.env, NODE_PATH: hidden }
  const output = execFileSync('node', ['--input-type=module', '-e', code], { env })
  expect(output.toString().trim()).toBe('own')
})
