import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'vite'
import { expect, onTestFinished, test } from 'vitest'
import { packagePlugins } from './packagePlugins.ts'

async function buildApp(source: string, files: Readonly<Record<string, string>> = {}) {
  const root = mkdtempSync(join(tmpdir(), 'waymark-packages-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const code = `import value from '${source}'\nexport default value`
  const all = { 'package.json': '{}', 'ridge.jpg': '', 'app.js': code, ...files }
  for (const [file, text] of Object.entries(all)) {
    mkdirSync(join(root, file, '..'), { recursive: true })
    writeFileSync(join(root, file), text)
  }
  const lib = { entry: 'app.js', formats: ['es' as const], fileName: 'app' }
  const plugins = [packagePlugins(root)]
  const options = { root, plugins, configFile: false as const, logLevel: 'silent' as const }
  const result = await build({ ...options, build: { lib, write: false } })
  return JSON.stringify(result)
}

test.each([
  [
    './ridge.jpg?image',
    'An import that ends with ?image needs the package @waymark/image, which is not installed. Run npm install @waymark/image.',
  ],
  [
    '@waymark/font',
    'font() needs the package @waymark/font, which is not installed. Run npm install @waymark/font.',
  ],
])('an import of %s says which package it needs', async (source, message) => {
  await expect(buildApp(source)).rejects.toThrow(message)
})

test('an import with ?image is compiled by the package that the app has', async () => {
  const built = await buildApp('./ridge.jpg?image', {
    'node_modules/@waymark/image/package.json':
      '{ "type": "module", "exports": { "./vite": "./vite.js" } }',
    'node_modules/@waymark/image/vite.js': `export const images = () => ({
      name: 'images',
      enforce: 'pre',
      load: { filter: { id: /image$/ }, handler: () => 'export default "in sizes"' },
    })`,
  })
  expect(built).toContain('in sizes')
})
