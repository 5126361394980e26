import { expect, onTestFinished, test, vi } from 'vitest'
import type { BuildContents, BuiltServer, ServerStores } from 'waymark/adapter'
import { createCloudflareWorker } from './cloudflareWorker.ts'
import { createWorker } from './workerdWorker.ts'

const contents: BuildContents = {
  builtAtMs: 0,
  files: {
    '/a%20b.txt': {
      file: 'client/a b.txt',
      status: 200,
      headers: [['content-type', 'text/plain']],
      etag: '"a"',
      size: 3,
      modifiedAtMs: 0,
      compressed: {},
      isGuarded: false,
    },
  },
  pages: {},
  shells: {},
  notFound: null,
}

const server: BuiltServer & ServerStores = {
  handle: ({ waitUntil, headers }) => {
    waitUntil?.(Promise.resolve('work'))
    return { status: 200, headers: [], body: headers.get('x-a') }
  },
  basePath: '',
  trailingSlash: false,
  allowedHosts: null,
  screen: () => ({ type: 'text/plain', text: '' }),
  defaultHeaders: [],
  register: async () => {},
  attachBuilt() {},
  isProxiedFile: () => false,
  findCached: () => null,
  reportOutside: () => '',
  appSecrets: () => ['a secret of the tests, long enough'],
  openCache: null,
  openJournal: null,
  attachCache() {},
  attachJournal() {},
  closeCache: async () => {},
  closeJournal: async () => {},
}

const serviceOf = (name: string) => ({
  fetch: async ({ url }: Request) => new Response(`${name} ${new URL(url).pathname}`),
})

test('each file is read from the service of its folder', async () => {
  const worker = createWorker({ server, contents })
  const waited: Promise<unknown>[] = []
  const ask = (path: string) =>
    worker.fetch(
      new Request(`https://a.test${path}`, { headers: { 'x-a': 'b' } }),
      { ASSETS: serviceOf('assets'), PAGES: serviceOf('pages') },
      { waitUntil: (work) => void waited.push(work) },
    )
  expect(await (await ask('/a%20b.txt')).text()).toBe('assets /a%20b.txt')
  waited.length = 0
  expect(await (await ask('/page')).text()).toBe('b')
  // Expect four promises: the stores, the handler, its background work, and the journal.
  expect(waited).toHaveLength(4)
})

test('an unset variable is undefined, not the text "null"', async () => {
  vi.stubEnv('WAYMARK_SECRET', 'null')
  onTestFinished(() => void vi.unstubAllEnvs())
  const appSecrets = (): [string] => [process.env.WAYMARK_SECRET ?? 'of the build']
  const checked = vi.fn(appSecrets)
  const worker = createWorker({ server: { ...server, appSecrets: checked }, contents })
  const bindings = { ASSETS: serviceOf('a'), PAGES: serviceOf('p'), WAYMARK_SECRET: null }
  await worker.fetch(new Request('https://a.test/'), bindings, { waitUntil() {} })
  expect(checked).toHaveReturnedWith(['of the build'])
})

test.each([
  ['workerd', createWorker],
  ['Cloudflare', createCloudflareWorker],
])('a store that fails to open once fails only the first request: %s', async (_host, create) => {
  const openCache = vi.fn(async () => null as never)
  openCache.mockRejectedValueOnce(new Error('no route'))
  const worker = create({ server: { ...server, openCache }, contents })
  const bindings = { ASSETS: serviceOf('a'), PAGES: serviceOf('p') }
  // The runtime only waits for the work, and ignores its failure.
  const context = { waitUntil: (work: Promise<unknown>) => void work.catch(() => {}) }
  const ask = () => worker.fetch(new Request('https://a.test/page'), bindings, context)
  await expect(ask()).rejects.toThrow('no route')
  expect((await ask()).status).toBe(200)
})
