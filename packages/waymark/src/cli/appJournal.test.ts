import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../shared/testing/temporaryFolder.ts'
import { openAppJournal } from './appJournal.ts'

const options = { env: { BLUE_URL: 'blue://a' }, log() {} }

function appWith(files: Readonly<Record<string, string>>): string {
  const root = temporaryFolder()
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true })
    writeFileSync(path.join(root, name), text)
  }
  return root
}

const store = (place: string) => `export const openJournal = async () => ({ place: '${place}' })\n`

const configured = {
  'store.mjs': store('the listed package'),
  'vite.config.mjs': `const stores = { BLUE_URL: new URL('./store.mjs', import.meta.url) }
const waymarkPackage = () => ({ stores })
export default { plugins: [{ name: 'blue', api: { waymarkPackage } }] }
`,
}

test('without a build, the journal uses the store of a package in the configuration', async () => {
  expect(await openAppJournal(appWith(configured), options)).toEqual({
    place: 'the listed package',
  })
})

test("a build contains its stores, so the configuration isn't loaded", async () => {
  const root = appWith({
    'vite.config.mjs': "throw new Error('loaded')\n",
    '.waymark/build.json': '{}',
    '.waymark/blue.mjs': store('the build'),
    '.waymark/runtime.js': `export const stores = { BLUE_URL: () => import('./blue.mjs') }
export const operations = null
`,
  })
  expect(await openAppJournal(root, options)).toEqual({ place: 'the build' })
})

test('the error for a build without the store says to build the app again', async () => {
  const root = appWith({ ...configured, '.waymark/build.json': '{}' })
  const env = { WAYMARK_REDIS_URL: 'redis://a' }
  await expect(openAppJournal(root, { ...options, env })).rejects.toThrow('build the app again')
})
