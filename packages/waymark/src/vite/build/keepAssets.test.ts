import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { keepAssets, setAssetsAside } from './keepAssets.ts'

let buildDir = ''
beforeEach(() => {
  buildDir = newFolder()
})

function newFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'waymark-assets-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const assetsIn = (dir: string) => path.join(dir, 'client/_waymark/assets')

/** What a build does: puts aside, empties, writes, keeps. */
async function build(
  buildId: string,
  files: readonly string[],
  { dir = buildDir, keepBuilds = 3, assetsFrom = null as string | null, fails = false } = {},
): Promise<string[]> {
  await setAssetsAside(dir)
  rmSync(assetsIn(dir), { recursive: true, force: true })
  mkdirSync(assetsIn(dir), { recursive: true })
  for (const file of files) writeFileSync(path.join(assetsIn(dir), file), `${buildId}:${file}`)
  if (fails) return []
  await keepAssets({ buildDir: dir, buildId, keepBuilds, assetsFrom })
  return readdirSync(assetsIn(dir)).sort()
}

test('the assets of the last builds are kept, and older ones are not', async () => {
  expect(await build('a', ['both.js', 'a.js', 'a.js.br'])).toEqual(['a.js', 'a.js.br', 'both.js'])
  expect(await build('b', ['both.js', 'b.js'])).toEqual(['a.js', 'a.js.br', 'b.js', 'both.js'])
  await build('c', ['c.js'])
  expect(await build('d', ['d.js'])).toEqual(['b.js', 'both.js', 'c.js', 'd.js'])
  const manifest = JSON.parse(readFileSync(path.join(buildDir, 'assets.json'), 'utf8'))
  expect(manifest).toEqual({
    version: 1,
    builds: [
      { buildId: 'd', files: ['d.js'] },
      { buildId: 'c', files: ['c.js'] },
      { buildId: 'b', files: ['b.js', 'both.js'] },
    ],
  })
  expect(readdirSync(buildDir).sort()).toEqual(['assets.json', 'client'])
})

test('the same build again takes nobody’s place', async () => {
  await build('a', ['a.js'], { keepBuilds: 2 })
  await build('b', ['b.js'], { keepBuilds: 2 })
  expect(await build('b', ['b.js'], { keepBuilds: 2 })).toEqual(['a.js', 'b.js'])
})

test('going back to an earlier build keeps the one between', async () => {
  await build('a', ['a.js'])
  await build('b', ['b.js'])
  expect(await build('a', ['a.js'])).toEqual(['a.js', 'b.js'])
})

test('one build is kept where none before it is wanted', async () => {
  await build('a', ['a.js'])
  expect(await build('b', ['b.js'], { keepBuilds: 1 })).toEqual(['b.js'])
})

test('a build that fails loses nothing', async () => {
  await build('a', ['a.js'])
  await build('b', ['half.js'], { fails: true })
  expect(await build('c', ['c.js'])).toEqual(['a.js', 'c.js'])
})

test.each(['the build itself', 'its app'])('assets come from another folder: %s', async (which) => {
  const app = newFolder()
  const dir = path.join(app, '.waymark')
  await build('a', ['a.js'], { dir })
  await build('b', ['b.js'], { dir })
  const assetsFrom = which === 'its app' ? app : dir
  expect(await build('c', ['c.js'], { assetsFrom })).toEqual(['a.js', 'b.js', 'c.js'])
  expect(readdirSync(assetsIn(dir)).sort()).toEqual(['a.js', 'b.js'])
})

test('a folder without a build is a mistake', async () => {
  const assetsFrom = newFolder()
  await expect(build('a', ['a.js'], { assetsFrom })).rejects.toThrow('ASSETS_FROM')
})

test('a list that was cut is as good as none', async () => {
  await build('a', ['a.js'])
  writeFileSync(path.join(buildDir, 'assets.json'), '{"version":1,"bui')
  expect(await build('b', ['b.js'])).toEqual(['b.js'])
})
