import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../shared/testing/temporaryFolder.ts'
import {
  dropPreviousBuild,
  keepAssets,
  keepSourceMaps,
  previousPath,
  restoreBuild,
  setBuildAside,
} from './earlierBuilds.ts'

let dir = ''
beforeEach(() => {
  dir = temporaryFolder()
})

function write(content: string, files: readonly string[], folder = dir): void {
  for (const file of files) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true })
    writeFileSync(path.join(folder, file), content)
  }
}

const read = (file: string) => readFileSync(path.join(dir, file), 'utf8')
const isThere = (file: string) => existsSync(path.join(dir, file))

describe('the previous build', () => {
  const all = ['rsc/index.js', 'client/a.js', 'prerendered.json', 'build.json']

  /** Simulates that the process which moved the build has ended. */
  function stop(): void {
    // Record a process id that no process has.
    writeFileSync(previousPath(dir, 'pid'), '999999999')
  }

  test('replaces a build that was stopped while it was written', () => {
    write('old', [...all, 'secret'])
    setBuildAside(dir)
    write('new', ['rsc/index.js', 'prerendered.json'])
    stop()
    restoreBuild(dir)
    expect(all.map(read)).toEqual(all.map(() => 'old'))
    expect(read('secret')).toBe('old')
    expect(isThere('previous')).toBe(false)
  })

  test("doesn't replace a complete build that was stopped before it deleted the previous one", () => {
    write('old', all)
    setBuildAside(dir)
    write('new', all)
    stop()
    restoreBuild(dir)
    expect(all.map(read)).toEqual(all.map(() => 'new'))
  })

  test("isn't touched while the next build runs", () => {
    write('old', all)
    setBuildAside(dir)
    writeFileSync(previousPath(dir, 'pid'), String(process.ppid))
    restoreBuild(dir)
    expect(isThere('build.json')).toBe(false)
    expect(isThere('previous/build.json')).toBe(true)
  })

  test("doesn't replace a failed build", () => {
    write('old', all)
    setBuildAside(dir)
    dropPreviousBuild(dir)
    restoreBuild(dir)
    expect(isThere('build.json')).toBe(false)
  })

  test("isn't moved aside if it's incomplete", () => {
    write('old', ['rsc/index.js'])
    setBuildAside(dir)
    expect(read('rsc/index.js')).toBe('old')
    expect(isThere('previous')).toBe(false)
  })
})

const assetsIn = (folder: string) => path.join(folder, 'client/_waymark/assets')

describe('assets', () => {
  /** Performs the steps of a build: moves the old one aside, empties, writes and copies. */
  async function build(
    buildId: string,
    files: readonly string[],
    { folder = dir, keepBuilds = 3, assetsFrom = null as string | null, fails = false } = {},
  ): Promise<string[]> {
    setBuildAside(folder)
    rmSync(assetsIn(folder), { recursive: true, force: true })
    write(buildId, files, assetsIn(folder))
    if (!fails) {
      await keepAssets({ buildDir: folder, buildId, keepBuilds, assetsFrom })
      write('', ['build.json'], folder)
    }
    dropPreviousBuild(folder)
    return readdirSync(assetsIn(folder)).sort()
  }

  test('of the latest builds stay, and older ones are deleted', async () => {
    expect(await build('a', ['both.js', 'a.js', 'a.js.br'])).toEqual(['a.js', 'a.js.br', 'both.js'])
    expect(await build('b', ['both.js', 'b.js'])).toEqual(['a.js', 'a.js.br', 'b.js', 'both.js'])
    await build('c', ['c.js'])
    expect(await build('d', ['d.js'])).toEqual(['b.js', 'both.js', 'c.js', 'd.js'])
    expect(JSON.parse(read('assets.json'))).toEqual({
      version: 1,
      builds: [
        { buildId: 'd', files: ['d.js'] },
        { buildId: 'c', files: ['c.js'] },
        { buildId: 'b', files: ['b.js', 'both.js'] },
      ],
    })
    expect(readdirSync(dir).sort()).toEqual(['assets.json', 'build.json', 'client'])
  })

  test('of a repeated build count only once', async () => {
    await build('a', ['a.js'], { keepBuilds: 2 })
    await build('b', ['b.js'], { keepBuilds: 2 })
    expect(await build('b', ['b.js'], { keepBuilds: 2 })).toEqual(['a.js', 'b.js'])
  })

  test('of the build in between stay when an earlier one is built again', async () => {
    await build('a', ['a.js'])
    await build('b', ['b.js'])
    expect(await build('a', ['a.js'])).toEqual(['a.js', 'b.js'])
  })

  test('are only those of the new build if keepBuilds is 1', async () => {
    await build('a', ['a.js'])
    expect(await build('b', ['b.js'], { keepBuilds: 1 })).toEqual(['b.js'])
  })

  test('stay after failed builds', async () => {
    await build('a', ['a.js'])
    await build('b', ['half.js'], { fails: true })
    await build('b', ['half.js'], { fails: true })
    expect(await build('c', ['c.js'])).toEqual(['a.js', 'c.js'])
  })

  test('are still in the previous build when the new one is stopped', async () => {
    await build('a', ['a.js'])
    setBuildAside(dir)
    write('b', ['b.js'], assetsIn(dir))
    await keepAssets({ buildDir: dir, buildId: 'b', keepBuilds: 3, assetsFrom: null })
    writeFileSync(previousPath(dir, 'pid'), '999999999')
    restoreBuild(dir)
    expect(readdirSync(assetsIn(dir))).toEqual(['a.js'])
  })

  test.each(['the build itself', 'its app'])('come from another folder: %s', async (which) => {
    const app = temporaryFolder()
    const folder = path.join(app, '.waymark')
    await build('a', ['a.js'], { folder })
    await build('b', ['b.js'], { folder })
    const assetsFrom = which === 'its app' ? app : folder
    expect(await build('c', ['c.js'], { assetsFrom })).toEqual(['a.js', 'b.js', 'c.js'])
    expect(readdirSync(assetsIn(folder)).sort()).toEqual(['a.js', 'b.js'])
  })

  test("can't come from a folder without a build", async () => {
    const assetsFrom = temporaryFolder()
    await expect(build('a', ['a.js'], { assetsFrom })).rejects.toThrow('ASSETS_FROM')
  })

  test('of builds in a truncated list are lost', async () => {
    await build('a', ['a.js'])
    writeFileSync(path.join(dir, 'assets.json'), '{"version":1,"bui')
    expect(await build('b', ['b.js'])).toEqual(['b.js'])
  })
})

describe('source maps', () => {
  test('are moved out of the served folder and stored by build', async () => {
    const asset = 'client/_waymark/assets/a-abcdefgh.js'
    const files = ['rsc/index.js', 'rsc/_waymark/assets/b.js', 'ssr/index.js', asset]
    write('', [...files, ...files.map((file) => `${file}.map`)])
    await keepSourceMaps(dir, 'b1')
    expect(files.filter((file) => isThere(`${file}.map`))).toEqual([])
    expect(files.filter(isThere)).toEqual(files)
    expect(files.filter((file) => isThere(`maps/b1/${file}.map`))).toEqual(files)
    expect(readdirSync(path.join(dir, 'maps'))).toEqual(['b1'])
  })

  test('that the app itself serves stay in place', async () => {
    const files = ['client/vendor.js.map', 'client/_waymark/assets/data.map']
    write('', files)
    await keepSourceMaps(dir, 'b1')
    expect(files.filter(isThere)).toEqual(files)
  })

  test("needn't exist", async () => {
    await keepSourceMaps(dir, 'b1')
    expect(isThere('maps')).toBe(false)
  })

  test('of old builds are deleted', async () => {
    write('', [...[1, 2, 3, 4, 5, 6].map((at) => `maps/b${at}/x`), 'rsc/index.js.map'])
    for (const at of [1, 2, 3, 4, 5, 6]) utimesSync(path.join(dir, `maps/b${at}`), at, at)
    await keepSourceMaps(dir, 'b7')
    expect(readdirSync(path.join(dir, 'maps')).sort()).toEqual(['b3', 'b4', 'b5', 'b6', 'b7'])
  })
})
