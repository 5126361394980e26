import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { send, serveFiles } from '../testing/files.ts'
import { createFolder } from '../testing/servers.ts'
import { isAssetName } from './storedAssets.ts'

const assets = '/_waymark/assets'
const hashOf = (text: string) => createHash('sha256').update(text).digest('base64url')

/** A store with some files, which counts what is read of it. */
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

test('an asset of another build is sent as one’s own is, and read once', async () => {
  const store = createStore({ 'b-1.js': 'code', 'b-1.js.br': 'small' })
  const { port } = await serveFiles({ dirs: [createFolder({})], storedAssets: store })
  const many = Array.from({ length: 20 }, () => send(port, `${assets}/b-1.js?retry=1`))
  for (const { status, body, headers } of await Promise.all(many)) {
    expect([status, body]).toEqual([200, 'code'])
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(headers.get('content-type')).toContain('javascript')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  }
  const coded = await send(port, `${assets}/b-1.js`, ['accept-encoding: br'])
  expect([coded.headers.get('content-encoding'), coded.body]).toEqual(['br', 'small'])
  const etag = coded.headers.get('etag') ?? ''
  const lines = ['accept-encoding: br', `if-none-match: ${etag}`]
  expect((await send(port, `${assets}/b-1.js`, lines)).status).toBe(304)
  expect((await send(port, `${assets}/b-1.js`, [], 'DELETE')).status).toBe(405)
  expect(countOf(store)).toBe(2)
})

test('a name that nobody has makes nothing but the list be looked at', async () => {
  const store = createStore({ 'b-1.js': 'code' })
  const { port } = await serveFiles({ dirs: [], storedAssets: store })
  for (let n = 0; n < 20; n++) {
    expect((await send(port, `${assets}/none-${n}.js`)).status).toBe(404)
  }
  expect(countOf(store)).toBe(0)
})

test.each(['x', '.x.js', 'x.js.br', 'x.12.draft', '..%2fx.js', 'a/b.js', `${'x'.repeat(300)}.js`])(
  'a request for %s does not even reach the list',
  async (name) => {
    const store = createStore({ [decodeURIComponent(name)]: 'secret' })
    const { port } = await serveFiles({ dirs: [], storedAssets: store })
    expect((await send(port, `${assets}/${name}`)).status).toBe(404)
    expect(store.reads).toEqual([])
    expect(isAssetName(name)).toBe(false)
  },
)

test('what is listed and gone is looked for once, until there is a new list', async () => {
  const store = createStore({ 'b-1.js': 'code' })
  const [[hash, text]] = [...store.contents] as [[string, string]]
  store.contents.clear()
  const { port } = await serveFiles({ dirs: [], storedAssets: store })
  for (let n = 0; n < 5; n++) expect((await send(port, `${assets}/b-1.js`)).status).toBe(404)
  expect(countOf(store)).toBe(1)
  store.contents.set(hash, text)
  store.relist()
  expect((await send(port, `${assets}/b-1.js`)).body).toBe('code')
})

test('a store that fails is a 404, and no end of the server', async () => {
  const store = { list: () => Promise.reject(new Error('away')), read: async () => null }
  const { port } = await serveFiles({ dirs: [], storedAssets: store })
  expect((await send(port, `${assets}/b-1.js`)).status).toBe(404)
})
