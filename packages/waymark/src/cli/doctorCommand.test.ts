import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { checkPackages } from './doctorCommand.ts'

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

function createApp(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(path.join(tmpdir(), 'waymark-doctor-'))
  folders.push(root)
  for (const [name, text] of Object.entries({ 'package.json': '{}', ...files })) {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true })
    writeFileSync(path.join(root, name), text)
  }
  return root
}

const sharp = (version: string) => ({
  'node_modules/sharp/package.json': '{ "main": "index.js" }',
  'node_modules/sharp/index.js': `module.exports = { versions: { sharp: '${version}' } }`,
})
const picture = { 'app/page.tsx': "import ridge from './ridge.jpg?image'" }
const remote = { 'app/_lib/remote.ts': "import { remoteImages } from 'waymark/image/remote'" }
const card = { 'app/opengraph-image.tsx': "import { ImageResponse } from 'waymark/og'" }
const text = {
  'app/layout.tsx': "const sans = font({\n  package: '@fontsource-variable/inter',\n})",
}
const inDev = { 'package.json': '{ "devDependencies": { "sharp": "*" } }' }

test.each<[string, Readonly<Record<string, string>>, string | null]>([
  ['images without sharp', picture, 'npm install --save-dev sharp'],
  ['images with an old sharp', { ...picture, ...sharp('0.35.3') }, 'sharp is 0.35.3'],
  ['images with sharp', { ...picture, ...sharp('0.35.4') }, null],
  ['remote images without sharp', remote, 'npm install sharp'],
  [
    'remote images with sharp for the build only',
    { ...remote, ...sharp('1.0.0'), ...inDev },
    'npm install sharp',
  ],
  ['remote images with sharp', { ...remote, ...sharp('1.0.0') }, null],
  ['a card without takumi-js', card, 'npm install takumi-js'],
  ['a card with it', { ...card, 'node_modules/takumi-js/package.json': '{}' }, null],
  ['a font without its package', text, 'npm install @fontsource-variable/inter'],
  [
    'a font with it',
    { ...text, 'node_modules/@fontsource-variable/inter/package.json': '{}' },
    null,
  ],
])('%s', async (_, files, problem) => {
  const checks = await checkPackages(createApp(files))
  expect(checks).toHaveLength(1)
  const [{ isOk, text, details } = { isOk: null, text: '', details: [] }] = checks
  expect(isOk).toBe(problem === null)
  if (problem) expect([text, ...details].join('\n')).toContain(problem)
})

test('an app that uses none needs none; packages of others are not read', async () => {
  const root = createApp({
    'app/page.tsx': "import ridge from './ridge.jpg'",
    'node_modules/other/index.js': "import x from './x.jpg?image'",
  })
  expect(await checkPackages(root)).toEqual([])
})
