import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'vite'
import { expect, onTestFinished, test } from 'vitest'
import { imagesPlugin } from './imagesPlugin.ts'

async function buildApp(files: Readonly<Record<string, string>>): Promise<string> {
  const root = mkdtempSync(join(tmpdir(), 'waymark-images-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const all = { 'package.json': '{}', 'ridge.jpg': '', ...files }
  for (const [file, text] of Object.entries(all)) {
    mkdirSync(join(root, file, '..'), { recursive: true })
    writeFileSync(join(root, file), text)
  }
  writeFileSync(join(root, 'app.js'), "import url from './ridge.jpg?image'\nexport default url")
  const lib = { entry: 'app.js', formats: ['es' as const], fileName: 'app' }
  const plugins = [imagesPlugin(root)]
  const options = { root, plugins, configFile: false as const, logLevel: 'silent' as const }
  const result = await build({ ...options, build: { lib, write: false } })
  return JSON.stringify(result)
}

test('an import with ?image says which package it needs', async () => {
  await expect(buildApp({})).rejects.toThrow(
    'An import that ends with ?image needs the package @waymark/image, which is not installed. Run npm install @waymark/image.',
  )
})

test('an import with ?image is compiled by the package that the app has', async () => {
  const built = await buildApp({
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
