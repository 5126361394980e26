import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'vite'
import { expect, onTestFinished, test } from 'vitest'
import type { ListedPackage } from '../config/definePackage.ts'
import { resolveOptions } from '../config/pluginOptions.ts'
import { packageHintsPlugin } from './packagePlugins.ts'

async function buildApp(source: string, packages: readonly ListedPackage[] = []) {
  const root = mkdtempSync(join(tmpdir(), 'waymark-packages-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const code = `import value from '${source}'\nexport default value`
  const all = { 'package.json': '{}', 'ridge.jpg': '', 'app.js': code }
  for (const [file, text] of Object.entries(all)) {
    mkdirSync(join(root, file, '..'), { recursive: true })
    writeFileSync(join(root, file), text)
  }
  const lib = { entry: 'app.js', formats: ['es' as const], fileName: 'app' }
  const compile = {
    name: 'images',
    enforce: 'pre' as const,
    load: { filter: { id: /image$/ }, handler: () => 'export default "in sizes"' },
  }
  const plugins = [packageHintsPlugin(() => resolveOptions(root, {}, { packages })), compile]
  const options = { root, plugins, configFile: false as const, logLevel: 'silent' as const }
  const result = await build({ ...options, build: { lib, write: false } })
  return JSON.stringify(result)
}

test.each([
  [
    './ridge.jpg?image',
    "An import that ends with ?image needs the package @waymark/image. Run npm install @waymark/image, and add to vite.config.ts: import { images } from '@waymark/image/vite', then plugins: [waymark(), images()].",
  ],
  [
    '@waymark/font',
    "font() needs the package @waymark/font. Run npm install @waymark/font, and add to vite.config.ts: import { fonts } from '@waymark/font/vite', then plugins: [waymark(), fonts()].",
  ],
])('an import of %s says which package to list', async (source, message) => {
  await expect(buildApp(source)).rejects.toThrow(message)
})

test('an import with ?image is compiled by the listed package', async () => {
  const built = await buildApp('./ridge.jpg?image', [{ name: '@waymark/image' }])
  expect(built).toContain('in sizes')
})
