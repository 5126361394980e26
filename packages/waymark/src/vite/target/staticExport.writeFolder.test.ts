import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { describeAppBuild } from '../build/appBuild.ts'
import { type StaticSiteOptions, staticSite } from './staticExport.ts'

const manifest = {
  buildId: 'b1',
  mode: 'production',
  routes: [],
  serverFeatures: [] as string[],
  externals: [],
}

function writeStaticFolder(
  { out, root, buildDir, manifest }: ReturnType<typeof createApp>,
  options: StaticSiteOptions = {},
) {
  const described = { root, buildDir, basePath: '', trailingSlash: false, manifest }
  const build = describeAppBuild({ ...described, defaultHeaders: [], usedFeatures: [] })
  return staticSite({ out, ...options }).write(build)
}

function createApp(files: Record<string, string> = {}) {
  const root = mkdtempSync(join(tmpdir(), 'waymark-static-'))
  const prerendered = {
    version: 1,
    files: {
      '/a': { file: 'prerendered/a.html', status: 200, headers: [['content-type', 'text/html']] },
    },
    notFound: { file: 'prerendered/nf.html', status: 404, headers: [] },
  }
  const all = {
    '.waymark/prerendered.json': JSON.stringify(prerendered),
    '.waymark/prerendered/a.html': 'page a',
    '.waymark/prerendered/nf.html': 'not found',
    '.waymark/client/logo.svg': 'logo',
    '.waymark/client/logo.svg.br': 'br',
    ...files,
  }
  for (const [name, text] of Object.entries(all)) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), text)
  }
  const buildDir = join(root, '.waymark')
  return { root, buildDir, out: join(root, 'out'), manifest }
}

test('contains documents, files and the 404 document, and can be overwritten', async () => {
  const app = createApp()
  for (let time = 0; time < 2; time++) {
    expect((await writeStaticFolder(app)).notes).toEqual([])
    expect(readFileSync(join(app.out, 'a/index.html'), 'utf8')).toBe('page a')
    expect(readFileSync(join(app.out, '404.html'), 'utf8')).toBe('not found')
    expect(readFileSync(join(app.out, 'logo.svg'), 'utf8')).toBe('logo')
    expect(existsSync(join(app.out, 'logo.svg.br'))).toBe(false)
    writeFileSync(join(app.out, 'stale.txt'), 'x')
  }
  await writeStaticFolder(app)
  expect(existsSync(join(app.out, 'stale.txt'))).toBe(false)
})

test("leaves out guarded files and files that the server doesn't serve", async () => {
  const app = createApp({
    '.waymark/client/.env': 'SECRET=1',
    '.waymark/client/.git/config': 'secret',
    '.waymark/client/.well-known/security.txt': 'contact',
    '.waymark/client/files.tar.gz': 'an archive of the app',
    '.waymark/client/vault/plan.pdf': 'secret',
    '.waymark/client/vault/a b.pdf': 'secret',
  })
  const file = join(app.buildDir, 'prerendered.json')
  const prerendered = JSON.parse(readFileSync(file, 'utf8'))
  const guarded = ['/vault/plan.pdf', '/vault/a%20b.pdf']
  writeFileSync(file, JSON.stringify({ ...prerendered, guarded }))
  await expect(writeStaticFolder(app)).rejects.toThrow('/vault/plan.pdf')
  await writeStaticFolder(app, { allowMissing: true })
  const written = readdirSync(app.out, { recursive: true, withFileTypes: true })
  const names = written.filter((each) => each.isFile()).map(({ name }) => name)
  expect(names.sort()).toEqual([
    '.waymark-static',
    '404.html',
    'files.tar.gz',
    'index.html',
    'logo.svg',
    'security.txt',
  ])
})

test("a web server of another user can read the folder, regardless of the build's modes", async () => {
  const app = createApp()
  chmodSync(join(app.buildDir, 'client/logo.svg'), 0o600)
  chmodSync(join(app.buildDir, 'prerendered/a.html'), 0o600)
  await writeStaticFolder(app)
  const modes = ['.', 'a', 'a/index.html', 'logo.svg'].map((name) =>
    (statSync(join(app.out, name)).mode & 0o777).toString(8),
  )
  expect(modes).toEqual(['755', '755', '644', '644'])
})

test("a folder with foreign files isn't overwritten", async () => {
  const app = createApp({ 'out/mine.txt': 'mine' })
  await expect(writeStaticFolder(app)).rejects.toThrow(
    "it contains files that Waymark didn't write",
  )
  expect(existsSync(join(app.out, 'mine.txt'))).toBe(true)
})

test("the app itself isn't overwritten", async () => {
  const app = createApp()
  for (const out of [app.root, dirname(app.root), app.buildDir]) {
    await expect(writeStaticFolder({ ...app, out })).rejects.toThrow('it contains the app itself')
  }
})

test('if routes need a server, nothing is written unless allowMissing is set', async () => {
  const app = { ...createApp(), manifest: { ...manifest, serverFeatures: ['proxy.ts'] } }
  await expect(writeStaticFolder(app)).rejects.toThrow("These can't: proxy.ts")
  expect(existsSync(app.out)).toBe(false)
  const { notes } = await writeStaticFolder(app, { allowMissing: true })
  expect(notes).toEqual(['Left out: proxy.ts'])
})
