import { mkdirSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'vite'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../shared/testing/temporaryFolder.ts'
import { createEntry, type JournalEntry } from './journalEntry.ts'
import { codeFrame, createStackMapper } from './sourceMaps.ts'

const source = [
  'type Post = { title: string }',
  '',
  'export function findPost(slug: string): Post {',
  "  const message: string = 'no post ' + slug",
  '  throw new Error(message)',
  '}',
  '',
].join('\n')

/** Creates an app with one built module, for the server or for browsers. */
async function builtApp(environment: 'rsc' | 'client') {
  const root = realpathSync(temporaryFolder())
  const buildDir = path.join(root, '.waymark')
  mkdirSync(path.join(root, 'app'))
  const file = path.join(root, 'app/posts.ts')
  writeFileSync(file, source)
  const folder = environment === 'rsc' ? 'rsc/assets' : 'client/_waymark/assets'
  const outDir = path.join(buildDir, folder)
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    build: {
      outDir,
      sourcemap: 'hidden',
      minify: environment === 'client',
      lib: { entry: file, formats: ['es'], fileName: () => 'posts-abcdefgh.js' },
    },
  })
  const built = path.join(outDir, 'posts-abcdefgh.js')
  return { root, buildDir, file, built, folder }
}

async function thrownBy(built: string): Promise<JournalEntry> {
  const { findPost } = await import(
    /* @vite-ignore */ `${pathToFileURL(built).href}?${Math.random()}`
  )
  try {
    findPost('x')
  } catch (thrown) {
    return createEntry(thrown, { digest: '0000-0000-000', timeMs: 0, phase: 'document' })
  }
  throw new Error('It did not throw.')
}

/** Returns the frame that a browser would report for the error in a built module. */
async function urlOfThrow(built: string): Promise<string> {
  const { stack } = await thrownBy(built)
  const [place] = /:\d+:\d+(?=\)?\n)/.exec(`${stack}\n`) ?? []
  return `https://x.test/_waymark/assets/posts-abcdefgh.js${place}`
}

describe('a stack of the server', () => {
  test('leads to the source file and line, with the source text of the build', async () => {
    const { root, buildDir, file, built } = await builtApp('rsc')
    const { stack } = await thrownBy(built)
    writeFileSync(file, 'changed since')
    const map = createStackMapper({ root, buildDir, currentBuildId: 'b1' })
    const [first] = await map(stack ?? '', { isBrowser: false, buildId: 'b1' })
    expect(first?.place).toEqual({ file, line: 5, column: 9, isAppCode: true, source })
  })

  test('is not mapped with the maps of another build', async () => {
    const { root, buildDir, built } = await builtApp('rsc')
    const { stack } = await thrownBy(built)
    const map = createStackMapper({ root, buildDir, currentBuildId: 'b2' })
    const [first] = await map(stack ?? '', { isBrowser: false, buildId: 'b1' })
    expect(first?.place).toBeNull()
  })

  test('is mapped if the maps of its build still exist', async () => {
    const { root, buildDir, built, file } = await builtApp('rsc')
    const { stack } = await thrownBy(built)
    mkdirSync(path.join(buildDir, 'maps/b1'), { recursive: true })
    renameSync(path.join(buildDir, 'rsc'), path.join(buildDir, 'maps/b1/rsc'))
    const map = createStackMapper({ root, buildDir, currentBuildId: 'b2' })
    const [first] = await map(stack ?? '', { isBrowser: false, buildId: 'b1' })
    expect(first?.place).toMatchObject({ file, line: 5 })
  })

  test('needs no map in development', async () => {
    const root = realpathSync(temporaryFolder())
    const file = path.join(root, 'page.tsx')
    writeFileSync(file, source)
    const map = createStackMapper({
      root,
      buildDir: path.join(root, '.waymark'),
      currentBuildId: null,
    })
    const stack = [
      `at Page (${file}:5:9)`,
      `at Page (about://React/Server/${pathToFileURL(file).href}:5:9)`,
      `at x (${root}/node_modules/a/b.js:1:1)`,
      'at x (/etc/passwd:1:1)',
      'at async Promise.all (index 0)',
    ].join('\n')
    const places = await map(stack, { isBrowser: false, buildId: null })
    const expected = { file, line: 5, column: 9, isAppCode: true, source }
    expect(places.map(({ place }) => place)).toEqual([expected, expected, null, null, null])
  })
})

describe('a stack of a browser', () => {
  const origin = { isBrowser: true, buildId: 'b1' }

  test('leads to the source file in every engine, even through minified code', async () => {
    const { root, buildDir, built, file } = await builtApp('client')
    const url = await urlOfThrow(built)
    const map = createStackMapper({ root, buildDir, currentBuildId: 'b1' })
    const places = await map(`at t (${url})\nt@${url}\nat ${url}`, origin)
    for (const { place } of places) expect(place).toMatchObject({ file, line: 5, source })
  })

  test('finds the map of an older build by the hash in the file name', async () => {
    const { root, buildDir, built, file } = await builtApp('client')
    const url = await urlOfThrow(built)
    mkdirSync(path.join(buildDir, 'maps/b0'), { recursive: true })
    renameSync(path.join(buildDir, 'client'), path.join(buildDir, 'maps/b0/client'))
    const map = createStackMapper({ root, buildDir, currentBuildId: 'b1' })
    const [first] = await map(`at t (${url})`, origin)
    expect(first?.place).toMatchObject({ file, line: 5 })
  })

  test('never makes the mapper read a file that it names', async () => {
    const root = realpathSync(temporaryFolder())
    writeFileSync(path.join(root, 'secret'), 'a')
    const map = createStackMapper({
      root,
      buildDir: path.join(root, '.waymark'),
      currentBuildId: null,
    })
    const stack = `at a (${root}/secret:1:1)\nat a (${pathToFileURL(root).href}/secret:1:1)`
    const places = await map(stack, { isBrowser: true, buildId: '../..' })
    expect(places.map(({ place }) => place)).toEqual([null, null])
  })
})

test.each(['', '{', '{"version":3}', '{"version":3,"sources":[],"mappings":"!!!!"}', 'null'])(
  'a broken map leaves the frame unchanged: %j',
  async (text) => {
    const { root, buildDir, built } = await builtApp('rsc')
    const { stack } = await thrownBy(built)
    rmSync(`${built}.map`)
    writeFileSync(`${built}.map`, text)
    const map = createStackMapper({ root, buildDir, currentBuildId: null })
    const [first] = await map(stack ?? '', { isBrowser: false, buildId: null })
    expect(first?.place).toBeNull()
    expect(first?.frame.text).toContain('posts-abcdefgh.js')
  },
)

const lines = Array.from({ length: 12 }, (_, index) => `line ${index + 1}`).join('\n')

test('shows two lines before and after the place, and marks the column', () => {
  expect(codeFrame(lines, 9, 3)).toBe(
    [' 7 | line 7', ' 8 | line 8', ' 9 | line 9', '   |   ^', '10 | line 10', '11 | line 11'].join(
      '\n',
    ),
  )
})

test('ends at the end of the file', () => {
  expect(codeFrame('only', 1, 1)).toBe('1 | only\n  | ^')
})

test('aligns the mark below tabs', () => {
  expect(codeFrame('\t\tx', 1, 3)).toBe('1 | \t\tx\n  | \t\t^')
})
