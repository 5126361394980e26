import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { checkPackages, namedFiles } from './doctorCommand.ts'

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

const installed = (loadSharp = 'return null') => ({
  'node_modules/@waymark/image/package.json':
    '{ "type": "module", "exports": { "./vite": "./vite.js" } }',
  'node_modules/@waymark/image/vite.js': `export async function loadSharp() { ${loadSharp} }`,
})
const picture = { 'app/page.tsx': "import ridge from './ridge.jpg?image'" }
const remote = { 'app/_lib/remote.ts': "import { remoteImages } from '@waymark/image/remote'" }
const card = { 'app/opengraph-image.tsx': "import { ImageResponse } from '@waymark/image/og'" }
const text = {
  'app/layout.tsx': "const sans = font({\n  package: '@fontsource-variable/inter',\n})",
}
const inDev = { 'package.json': '{ "devDependencies": { "@waymark/image": "*" } }' }

test.each<[string, Readonly<Record<string, string>>, string | null]>([
  ['images without their package', picture, 'npm install @waymark/image'],
  ['images with it', { ...picture, ...installed() }, null],
  [
    'images with a sharp of another machine',
    { ...picture, ...installed("throw new Error('no linux-x64')") },
    "can't load sharp (Error: no linux-x64)",
  ],
  ['remote images without their package', remote, 'npm install @waymark/image'],
  [
    'remote images with the package for the build only',
    { ...remote, ...installed(), ...inDev },
    'npm install @waymark/image',
  ],
  ['remote images with it', { ...remote, ...installed() }, null],
  [
    'imported images with the package for the build only',
    { ...picture, ...installed(), ...inDev },
    null,
  ],
  ['a card without its package', card, 'npm install @waymark/image'],
  ['a card with it', { ...card, ...installed() }, null],
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

test('the hashed files that a document names are found, wherever they are hosted', () => {
  const html = `<link rel="stylesheet" href="/_waymark/assets/a.css"><a href="/about">
    <script src="https://cdn.example.com/_waymark/assets/b.js?x=1&amp;y=2"></script>
    <script src="/_waymark/assets/b.js"></script><link href="/_waymark/assets/a.css">
    <script src="ftp://x/_waymark/assets/c.js"></script><img src="http://[/_waymark/assets/d.png">`
  expect(namedFiles(html, new URL('https://example.com/de'))).toEqual([
    'https://example.com/_waymark/assets/a.css',
    'https://cdn.example.com/_waymark/assets/b.js?x=1&y=2',
    'https://example.com/_waymark/assets/b.js',
  ])
})
