import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, test } from 'vitest'
import { temporaryFolder } from '../../shared/testing/temporaryFolder.ts'
import { send, serveFiles } from '../testing/servers.ts'
import { isAssetName, shareAssets } from './sharedAssets.ts'

const assets = '_waymark/assets'
const buildWith = (name: string) =>
  temporaryFolder({
    [`${assets}/${name}`]: name,
    [`${assets}/${name}.br`]: 'small',
    'robots.txt': '',
  })

it('lets a server respond for assets of a later build', async () => {
  const shared = temporaryFolder({})
  const first = buildWith('first-1.js')
  const second = buildWith('second-2.js')
  shareAssets(first, shared)
  const { port } = await serveFiles({ dirs: [first], sharedAssets: shared })
  expect((await send(port, `/${assets}/second-2.js`)).status).toBe(404)
  shareAssets(second, shared)
  const afterShare = await send(port, `/${assets}/second-2.js?retry=1`)
  expect([afterShare.status, afterShare.body]).toEqual([200, 'second-2.js'])
  expect(afterShare.headers.get('cache-control')).toContain('immutable')
  const coded = await send(port, `/${assets}/second-2.js`, ['accept-encoding: br'])
  expect([coded.headers.get('content-encoding'), coded.body]).toEqual(['br', 'small'])
})

it.each([
  '../secret.js',
  '%2e%2e/secret.js',
  '..%2fsecret.js',
  '.hidden.js',
  'x.js.12.draft',
  'x.js.br',
  'folder/x.js',
  'x.js%00.js',
])('does not look for a file with the name %s', async (name) => {
  const shared = temporaryFolder({
    'secret.js': 'secret',
    '_waymark/secret.js': 'secret',
    [`${assets}/.hidden.js`]: 'secret',
    [`${assets}/x.js.12.draft`]: 'secret',
    [`${assets}/x.js.br`]: 'secret',
    [`${assets}/folder/x.js`]: 'secret',
  })
  const { port } = await serveFiles({ dirs: [], sharedAssets: shared })
  const answer = await send(port, `/${assets}/${name}`)
  expect(answer.status).not.toBe(200)
  expect(answer.body).not.toContain('secret')
})

it('keeps existing files, renews their time, and leaves no drafts', () => {
  const shared = temporaryFolder({ [`${assets}/a-1.js`]: 'there before' })
  const now = new Date(1_800_000_000_000)
  shareAssets(buildWith('a-1.js'), shared, now)
  expect(readFileSync(join(shared, assets, 'a-1.js'), 'utf8')).toBe('there before')
  expect(statSync(join(shared, assets, 'a-1.js')).mtimeMs).toBe(now.getTime())
  expect(readdirSync(join(shared, assets)).sort()).toEqual(['a-1.js', 'a-1.js.br'])
})

it('names the folder that it can’t write to', () => {
  const folder = temporaryFolder({})
  writeFileSync(join(folder, 'file'), '')
  expect(() => shareAssets(buildWith('a.js'), join(folder, 'file'))).toThrow('SHARED_ASSETS')
})

const hashOf = (text: string) => createHash('sha256').update(text).digest('base64url')

/** Creates a store with some files that counts the reads. */
function createStore(files: Readonly<Record<string, string>>) {
  const contents = new Map(Object.values(files).map((text) => [hashOf(text), text]))
  const names = Object.entries(files).map(([name, text]) => [name, hashOf(text)] as const)
  const reads: string[] = []
  let list = new Map(names)
  return {
    reads,
    contents,
    relist: () => {
      list = new Map(names)
    },
    list: () => {
      reads.push('list')
      return list
    },
    async read(hash: string) {
      reads.push(hash)
      const text = contents.get(hash)
      return text === undefined ? null : Buffer.from(text)
    },
  }
}

const countOf = (store: ReturnType<typeof createStore>) =>
  store.reads.filter((read) => read !== 'list').length

test("an asset of another build is sent like the server's own, and read once", async () => {
  const store = createStore({ 'b-1.js': 'code', 'b-1.js.br': 'small' })
  const { port } = await serveFiles({ dirs: [temporaryFolder({})], storedAssets: store })
  const many = Array.from({ length: 20 }, () => send(port, `/${assets}/b-1.js?retry=1`))
  for (const { status, body, headers } of await Promise.all(many)) {
    expect([status, body]).toEqual([200, 'code'])
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(headers.get('content-type')).toContain('javascript')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  }
  const coded = await send(port, `/${assets}/b-1.js`, ['accept-encoding: br'])
  expect([coded.headers.get('content-encoding'), coded.body]).toEqual(['br', 'small'])
  const etag = coded.headers.get('etag') ?? ''
  const lines = ['accept-encoding: br', `if-none-match: ${etag}`]
  expect((await send(port, `/${assets}/b-1.js`, lines)).status).toBe(304)
  expect((await send(port, `/${assets}/b-1.js`, [], 'DELETE')).status).toBe(405)
  expect(countOf(store)).toBe(2)
})

test('for an unknown name, only the list is read', async () => {
  const store = createStore({ 'b-1.js': 'code' })
  const { port } = await serveFiles({ dirs: [], storedAssets: store })
  for (let n = 0; n < 20; n++) {
    expect((await send(port, `/${assets}/none-${n}.js`)).status).toBe(404)
  }
  expect(countOf(store)).toBe(0)
})

test.each(['x', '.x.js', 'x.js.br', 'x.12.draft', '..%2fx.js', 'a/b.js', `${'x'.repeat(300)}.js`])(
  'a request for %s does not even read the list',
  async (name) => {
    const store = createStore({ [decodeURIComponent(name)]: 'secret' })
    const { port } = await serveFiles({ dirs: [], storedAssets: store })
    expect((await send(port, `/${assets}/${name}`)).status).toBe(404)
    expect(store.reads).toEqual([])
    expect(isAssetName(name)).toBe(false)
  },
)

test('a listed file that is missing is looked for once, until there is a new list', async () => {
  const store = createStore({ 'b-1.js': 'code' })
  const [[hash, text]] = [...store.contents] as [[string, string]]
  store.contents.clear()
  const { port } = await serveFiles({ dirs: [], storedAssets: store })
  for (let n = 0; n < 5; n++) expect((await send(port, `/${assets}/b-1.js`)).status).toBe(404)
  expect(countOf(store)).toBe(1)
  store.contents.set(hash, text)
  store.relist()
  expect((await send(port, `/${assets}/b-1.js`)).body).toBe('code')
})

test('a store that fails causes a 404, and the server continues', async () => {
  const store = { list: () => Promise.reject(new Error('away')), read: async () => null }
  const { port } = await serveFiles({ dirs: [], storedAssets: store })
  expect((await send(port, `/${assets}/b-1.js`)).status).toBe(404)
})
