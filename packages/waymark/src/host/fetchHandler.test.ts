import { describe, expect, test, vi } from 'vitest'
import type { BuildContents, BuildFile, BuildPage } from '../builds/buildContents.ts'
import type { BuiltServer } from '../builds/builtServer.ts'
import type { BuiltPages } from '../builds/cachedPage.ts'
import { createFetchHandler } from './fetchHandler.ts'

function file(name: string, headers: BuildFile['headers'] = []): BuildFile {
  return {
    file: name,
    status: 200,
    headers: [...headers, ['x-content-type-options', 'nosniff']],
    etag: `"${name}"`,
    size: `file ${name}`.length,
    modifiedAtMs: 0,
    compressed: {},
    isGuarded: false,
  }
}

function page(name: string, parts: Partial<BuildPage> = {}): BuildPage {
  const life = { tags: [], revalidateSeconds: 60, expireSeconds: null }
  const headers: BuildFile['headers'] = [
    ['content-type', 'text/html'],
    ['cache-control', 'public, max-age=0, s-maxage=60'],
    ['waymark-cache', 'hit'],
  ]
  return { ...file(name, headers), life, handlerOnHeaders: [], hasCustomCaching: false, ...parts }
}

const contents: BuildContents = {
  builtAtMs: 5,
  files: {
    '/_waymark/assets/a-1.js': file('client/_waymark/assets/a-1.js', [
      ['content-type', 'text/javascript'],
      ['cache-control', 'public, max-age=31536000, immutable'],
    ]),
    '/robots.txt': file('client/robots.txt', [['content-type', 'text/plain']]),
    '/gone.txt': file('client/gone.txt'),
    '/a%20b.txt': file('client/a b.txt'),
  },
  pages: { '/built': page('prerendered/built.html') },
  shells: {
    '/partial': {
      file: 'prerendered/partial.shell',
      life: { tags: [], revalidateSeconds: null, expireSeconds: null },
    },
    '/lost': {
      file: 'client/gone.txt',
      life: { tags: [], revalidateSeconds: null, expireSeconds: null },
    },
  },
  notFound: { ...page('prerendered/404.html'), status: 404 },
}

async function read(name: string) {
  return name === 'client/gone.txt' ? null : new TextEncoder().encode(`file ${name}`)
}

function serverWith(parts: Partial<BuiltServer> = {}): BuiltServer {
  return {
    handle: async ({ method, target }) => ({
      status: 200,
      headers: [['x-a', 'b']],
      body: `${method} ${target}`,
    }),
    basePath: '',
    trailingSlash: false,
    allowedHosts: null,
    screen: (status) => ({ type: 'text/html', text: `<p>${status}</p>` }),
    defaultHeaders: [],
    register: async () => {},
    attachBuilt() {},
    isProxiedFile: () => false,
    findCached: () => null,
    reportOutside: () => 'digest',
    appSecrets: () => ['a secret of the tests, long enough'],
    ...parts,
  }
}

function start(
  parts: Partial<BuiltServer> = {},
  options: Partial<Parameters<typeof createFetchHandler>[0]> = {},
) {
  const waited: Promise<unknown>[] = []
  const handle = createFetchHandler({ server: serverWith(parts), contents, read, ...options })
  const ask = (path: string, init?: RequestInit) =>
    handle(new Request(`https://a.test${path}`, init), {
      waitUntil: (work) => void waited.push(work),
    })
  return { ask, waited }
}

test('a host without the secrets of the app does not start', () => {
  const appSecrets = () => {
    throw new Error('Set WAYMARK_SECRET')
  }
  expect(() => start({ appSecrets })).toThrow('Set WAYMARK_SECRET')
})

test('a file is sent with its type, and hashed files are cached forever', async () => {
  const { ask } = start()
  const hashed = await ask('/_waymark/assets/a-1.js?x')
  expect(await hashed.text()).toBe('file client/_waymark/assets/a-1.js')
  expect(Object.fromEntries(hashed.headers)).toMatchObject({
    'content-type': 'text/javascript',
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
  })
  expect(await (await ask('/a%20b.txt')).text()).toBe('file client/a b.txt')
  const posted = await ask('/robots.txt', { method: 'POST' })
  expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
})

test('only a file has a modification time, also below a base path', async () => {
  const { ask } = start({
    basePath: '/docs',
    handle: async () => ({ status: 200, headers: [], body: null, prerendered: '/built' }),
  })
  const modified = async (path: string) => (await ask(path)).headers.get('last-modified')
  expect(await modified('/docs/robots.txt')).toBe('Thu, 01 Jan 1970 00:00:00 GMT')
  expect(await modified('/docs/built')).toBeNull()
})

test('a missing asset is not answered with a page', async () => {
  const { ask } = start()
  expect((await ask('/_waymark/assets/b.js')).status).toBe(404)
  expect((await ask('/gone.txt')).status).toBe(404)
})

test.each(['/page?a=1', '/constructor', '/__proto__'])('%s goes to the handler', async (path) => {
  const answer = await start().ask(path)
  expect([await answer.text(), answer.headers.get('x-a')]).toEqual([`GET ${path}`, 'b'])
})

test('the app is registered once, before the response to its first request', async () => {
  const steps: string[] = []
  const { ask } = start({
    register: async () => void steps.push('registered'),
    handle: async () => {
      steps.push('answered')
      return { status: 200, headers: [], body: null }
    },
  })
  await Promise.all([ask('/'), ask('/')])
  expect(steps).toEqual(['registered', 'answered', 'answered'])
})

test('the runtime waits for the handler, and for work that continues after the response', async () => {
  const work = Promise.resolve('later')
  const { ask, waited } = start({
    handle: async ({ waitUntil }) => {
      waitUntil?.(work)
      return { status: 200, headers: [], body: null }
    },
  })
  await ask('/')
  expect(waited).toContain(work)
  expect(waited).toHaveLength(2)
})

test('a failure before the response rejects once, for the runtime', async () => {
  const unhandled = vi.fn()
  process.on('unhandledRejection', unhandled)
  const { ask, waited } = start({
    handle: async () => ({ status: 200, headers: [['b c', 'no name']], body: null }),
  })
  await expect(ask('/')).rejects.toThrow()
  await expect(Promise.all(waited)).resolves.toBeDefined()
  await new Promise((resolve) => setTimeout(resolve, 5))
  expect(unhandled).not.toHaveBeenCalled()
  process.off('unhandledRejection', unhandled)
})

test('a file that needs the handler is sent if the response refers to it', async () => {
  const { ask } = start({
    isProxiedFile: (pathname) => pathname === '/robots.txt',
    handle: async ({ target }) => ({
      status: target.endsWith('?in') ? 200 : 403,
      headers: [['cache-control', 'private, no-cache']],
      body: null,
      ...(target.endsWith('?in') ? { prerendered: '/robots.txt' } : {}),
    }),
  })
  expect((await ask('/robots.txt')).status).toBe(403)
  const file = await ask('/robots.txt?in')
  expect([file.status, await file.text()]).toEqual([200, 'file client/robots.txt'])
  expect(file.headers.get('cache-control')).toBe('private, no-cache')
  expect(await (await ask('/_waymark/assets/a-1.js')).text()).toContain('file')
})

test('an invalid host is refused, as by the Node server', async () => {
  const handle = vi.fn()
  const respond = createFetchHandler({ server: serverWith({ handle }), contents, read })
  // Use a plain object, because workerd passes this URL for `Host: a b`, but a Request in Node refuses it.
  const request = { method: 'GET', url: 'http://a b/page' } as Request
  const response = await respond(request)
  expect(response.status).toBe(400)
  expect(handle).not.toHaveBeenCalled()
})

test('a request for a host that the app does not list is refused before app code runs', async () => {
  const handle = vi.fn(async () => ({ status: 200, headers: [], body: null }))
  const { ask } = start({ handle, allowedHosts: ['example.com'] })
  const page = await ask('/page', { headers: { accept: 'text/html' } })
  expect([page.status, await page.text(), page.headers.get('content-type')]).toEqual([
    400,
    '<p>400</p>',
    'text/html',
  ])
  const file = await ask('/robots.txt')
  expect([file.status, await file.text()]).toEqual([400, '400 Bad Request\n'])
  expect(handle).not.toHaveBeenCalled()
  const named = start({ handle, allowedHosts: ['a.test'] })
  expect((await named.ask('/page')).status).toBe(200)
})

const builtPage = {
  status: 200,
  headers: [
    ['waymark-cache', 'stale'],
    ['age', '7'],
  ] as [string, string][],
  body: null,
  prerendered: '/built',
}

test('a page of the build is sent with its headers, which the response can override', async () => {
  const { ask } = start({ handle: async () => builtPage })
  const response = await ask('/built')
  expect(await response.text()).toBe('file prerendered/built.html')
  expect(Object.fromEntries(response.headers)).toEqual({
    age: '7',
    'cache-control': 'public, max-age=0, s-maxage=60',
    'content-length': '27',
    'content-type': 'text/html',
    'accept-ranges': 'bytes',
    etag: '"prerendered/built.html"',
    'waymark-cache': 'stale',
    'x-content-type-options': 'nosniff',
  })
  const head = await ask('/built', { method: 'HEAD' })
  expect([head.status, await head.text()]).toEqual([200, ''])
  expect(head.headers.get('content-length')).toBe('27')
})

test('a page that the client already has is not sent again', async () => {
  const { ask } = start({ handle: async () => builtPage })
  const revalidated = await ask('/built', {
    headers: { 'if-none-match': '"prerendered/built.html"' },
  })
  expect([revalidated.status, await revalidated.text()]).toEqual([304, ''])
  expect(revalidated.headers.get('cache-control')).toBe('public, max-age=0, s-maxage=60')
  expect(revalidated.headers.get('content-type')).toBeNull()
  const other = await ask('/built', { headers: { 'if-match': '"other"' } })
  expect(other.status).toBe(412)
})

test('a page that was rendered after the build has its own tag', async () => {
  const bytes = new TextEncoder().encode('rendered again')
  const cached = {
    status: 200,
    headers: [],
    bodies: [{ encoding: 'identity', etag: '"again"', bytes }],
    handlerOnHeaders: [],
  } as const
  const { ask } = start({
    handle: async () => ({
      status: 200,
      headers: [],
      body: bytes,
      cached: { ...cached, headers: [] },
    }),
  })
  const response = await ask('/built')
  expect([await response.text(), response.headers.get('etag')]).toEqual([
    'rendered again',
    '"again"',
  ])
  expect((await ask('/built', { headers: { 'if-none-match': '"again"' } })).status).toBe(304)
})

describe('compressed bytes', () => {
  const sibling = (name: string) => ({ file: name, etag: `"${name}"`, size: `file ${name}`.length })
  const style: BuildFile = {
    ...file('client/a.css', [['content-type', 'text/css']]),
    compressed: { gzip: sibling('client/a.css.gz'), br: sibling('client/a.css.br') },
  }
  const compressed = {
    ...contents,
    files: {
      '/a.css': style,
      '/lost.css': { ...style, compressed: { br: sibling('client/gone.txt') } },
    },
  }
  const again = new TextEncoder().encode('rendered again')
  const bodies = [
    { encoding: 'identity', etag: '"again"', bytes: again },
    { encoding: 'br', etag: '"again-br"', bytes: new TextEncoder().encode('brotli') },
  ] as const
  const cached = { status: 200, headers: [], bodies, handlerOnHeaders: [] }
  const handle = async () => ({ status: 200, headers: [], body: again, cached })
  const asks = (options = {}) => start({ handle }, { contents: compressed, ...options }).ask

  test.each([
    ['/a.css', 'gzip, br', 'file client/a.css.br', 'br'],
    ['/a.css', 'gzip, br;q=0.5', 'file client/a.css.gz', 'gzip'],
    ['/a.css', 'br;q=0, identity', 'file client/a.css', null],
    ['/a.css', 'identity;q=0, gzip', 'file client/a.css.gz', 'gzip'],
    ['/a.css', 'zstd, identity;q=0', 'file client/a.css', null],
    ['/a.css', '', 'file client/a.css', null],
    ['/page', 'br', 'brotli', 'br'],
    ['/page', 'gzip', 'rendered again', null],
  ])('%s for %j is %s', async (path, accepted, text, encoding) => {
    const response = await asks()(path, { headers: { 'accept-encoding': accepted } })
    expect([response.status, await response.text()]).toEqual([200, text])
    expect(response.headers.get('content-encoding')).toBe(encoding)
    expect(response.headers.get('vary')).toBe('accept-encoding')
    expect(response.headers.get('content-length')).toBe(`${text.length}`)
  })

  test('each encoding has its own tag, also for conditions', async () => {
    const ask = asks()
    for (const [path, tag] of [
      ['/a.css', '"client/a.css.br"'],
      ['/page', '"again-br"'],
    ] as const) {
      const head = await ask(path, { method: 'HEAD', headers: { 'accept-encoding': 'br' } })
      expect([head.headers.get('etag'), head.headers.get('content-encoding')]).toEqual([tag, 'br'])
      const conditional = { 'accept-encoding': 'br', 'if-none-match': tag }
      const repeated = await ask(path, { headers: conditional })
      expect([repeated.status, await repeated.text()]).toEqual([304, ''])
      expect(repeated.headers.get('vary')).toBe('accept-encoding')
      const plain = await ask(path, { headers: { 'if-none-match': tag } })
      expect([plain.status, plain.headers.get('content-encoding')]).toEqual([200, null])
    }
  })

  test('a host can turn compression off', async () => {
    const ask = asks({ compression: false })
    for (const path of ['/a.css', '/page']) {
      const { headers } = await ask(path, { headers: { 'accept-encoding': 'br' } })
      expect([headers.get('content-encoding'), headers.get('vary')]).toEqual([null, null])
    }
  })

  test('a host that has only the uncompressed file sends that file', async () => {
    const response = await asks()('/lost.css', { headers: { 'accept-encoding': 'br' } })
    expect([response.status, await response.text()]).toEqual([200, 'file client/a.css'])
    expect(response.headers.get('content-encoding')).toBeNull()
  })
})

describe('a range of bytes', () => {
  const streams = async (name: string) => {
    const text = new TextEncoder().encode(`file ${name}`)
    let at = 0
    return new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.enqueue(text.slice(at, at + 3))
        at += 3
        if (at >= text.length) controller.close()
      },
    })
  }

  test.each([
    ['bytes=5-8', 'clie', 'bytes 5-8/22'],
    ['bytes=-6', 'ts.txt', 'bytes 16-21/22'],
    ['bytes=2-3', 'le', 'bytes 2-3/22'],
    ['bytes=0-', 'file client/robots.txt', 'bytes 0-21/22'],
    ['bytes=20-99', 'xt', 'bytes 20-21/22'],
  ])('%s is %j, of bytes and of a stream', async (range, text, contentRange) => {
    for (const readIt of [read, streams]) {
      const response = await start({}, { read: readIt }).ask('/robots.txt', { headers: { range } })
      expect([response.status, await response.text()]).toEqual([206, text])
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'content-range': contentRange,
        'content-length': `${text.length}`,
        'content-type': 'text/plain',
        etag: '"client/robots.txt"',
      })
    }
  })

  test.each([
    ['bytes=22-', {}, 416],
    ['bytes=1-2,4-5', {}, 200],
    ['lines=1-2', {}, 200],
    ['bytes=1-2', { 'if-range': '"other"' }, 200],
    ['bytes=1-2', { 'if-range': '"client/robots.txt"' }, 206],
    ['bytes=1-2', { 'if-match': '"other"' }, 412],
    ['bytes=1-2', { 'if-none-match': '"client/robots.txt"' }, 304],
  ])('%s with %j gets %i', async (range, conditions, status) => {
    const headers: Record<string, string> = { range, ...conditions }
    const response = await start().ask('/robots.txt', { headers })
    expect(response.status).toBe(status)
    if (status === 416) expect(response.headers.get('content-range')).toBe('bytes */22')
    const head = await start().ask('/robots.txt', { method: 'HEAD', headers: { range } })
    expect([head.status, head.headers.get('content-length')]).toEqual([200, '22'])
  })

  test('the rest of a stream is cancelled', async () => {
    const cancelled = vi.fn()
    const endless = async () =>
      new ReadableStream<Uint8Array>({
        pull: (controller) => controller.enqueue(new Uint8Array(4)),
        cancel: cancelled,
      })
    const range = 'bytes=2-9'
    const response = await start({}, { read: endless }).ask('/robots.txt', { headers: { range } })
    expect((await response.arrayBuffer()).byteLength).toBe(8)
    expect(cancelled).toHaveBeenCalledOnce()
  })

  test('an error document has no ranges', async () => {
    const handle = async () => ({ status: 404, headers: [], body: null, prerendered: 'not-found' })
    const response = await start({ handle }).ask('/nowhere', { headers: { range: 'bytes=0-1' } })
    expect([response.status, response.headers.get('accept-ranges')]).toEqual([404, null])
  })
})

describe('a page that was rendered after the build', () => {
  const bytes = new TextEncoder().encode('again')
  const cached = {
    status: 200,
    headers: [],
    bodies: [{ encoding: 'identity', etag: '"again"', bytes }] as const,
    handlerOnHeaders: [],
  }
  const headers: [string, string][] = [['set-cookie', 'session=renewed']]
  const { ask } = start({ handle: async () => ({ status: 200, headers, body: bytes, cached }) })

  test('sets the cookies of its response even in a 304', async () => {
    const response = await ask('/page', { headers: { 'if-none-match': '"again"' } })
    expect([response.status, await response.text()]).toEqual([304, ''])
    expect(response.headers.getSetCookie()).toEqual(['session=renewed'])
    expect(response.headers.get('cache-control')).toBe('private, no-store')
  })

  test.each([
    ['if-modified-since', 'Thu, 01 Jan 2015 00:00:00 GMT'],
    ['if-unmodified-since', 'Thu, 01 Jan 2015 00:00:00 GMT'],
  ])('has no date to compare with %s', async (name, date) => {
    expect((await ask('/page', { headers: { [name]: date } })).status).toBe(200)
  })
})

test('a page for one client is not stored in any cache', async () => {
  const headers: [string, string][] = [['set-cookie', 'a=b']]
  const { ask } = start({ handle: async () => ({ ...builtPage, headers }) })
  const response = await ask('/built')
  expect(response.headers.get('cache-control')).toBe('private, no-store')
  expect(response.headers.get('set-cookie')).toBe('a=b')
})

test('URLs without a route share a document', async () => {
  const { ask } = start({
    handle: async () => ({ status: 404, headers: [], body: null, prerendered: 'not-found' }),
  })
  const response = await ask('/nowhere')
  expect([response.status, await response.text()]).toEqual([404, 'file prerendered/404.html'])
  expect(response.headers.get('etag')).toBeNull()
})

test('the handler runs for a page of the build, so that a guard is not bypassed', async () => {
  const { ask } = start({ handle: async () => ({ status: 403, headers: [], body: 'no' }) })
  const response = await ask('/built')
  expect([response.status, await response.text()]).toEqual([403, 'no'])
})

test('the server knows the pages, shells and files of its build', async () => {
  let pages: BuiltPages | undefined
  start({
    attachBuilt(built) {
      pages = built
    },
  })
  expect(pages?.hasNotFound).toBe(true)
  expect([pages?.hasFile('/robots.txt'), pages?.hasFile('/built')]).toEqual([true, false])
  expect(pages?.findBuilt('/built')).toMatchObject({ revalidateSeconds: 60, renderedAtMs: 5 })
  expect(pages?.findBuilt('/constructor')).toBeNull()
  const shell = await pages?.findBuilt('/partial')?.readShell?.()
  expect(new TextDecoder().decode(shell)).toBe('file prerendered/partial.shell')
  await expect(pages?.findBuilt('/lost')?.readShell?.()).rejects.toThrow('client/gone.txt')
})

describe('an endless body', () => {
  function endless() {
    const queue = new TransformStream<Uint8Array, Uint8Array>()
    const writer = queue.writable.getWriter()
    void writer.write(new TextEncoder().encode('one'))
    const end = vi.fn(() => void writer.close())
    return { body: Object.assign(queue.readable, { end }), end }
  }

  test.each([
    ['before', 0],
    ['after', 1],
  ])('ends when the host ends the request %s its response', async (_, later) => {
    const { body, end } = endless()
    const handle = createFetchHandler({
      server: serverWith({ handle: async () => ({ status: 200, headers: [], body }) }),
      contents,
      read,
    })
    const ending = new AbortController()
    if (!later) ending.abort()
    const response = await handle(new Request('https://a.test/'), { endSignal: ending.signal })
    ending.abort()
    expect(await response.text()).toBe('one')
    expect(end).toHaveBeenCalledOnce()
  })
})

describe('a response without the stored body', () => {
  const named = {
    'x-around': 'yes',
    'set-cookie': 'session=2',
    'x-frame-options': 'DENY',
  }
  const handle = async () => ({
    status: 200,
    headers: Object.entries(named),
    body: null,
    prerendered: '/built',
  })

  test.each([
    [412, { 'if-match': '"other"' }, null],
    [416, { range: 'bytes=99-' }, 'bytes */27'],
  ])(
    '%i has the headers of its response, but none of those of the body',
    async (status, headers, range) => {
      const response = await start({ handle }).ask('/built', { headers })
      const text = await response.text()
      expect([response.status, text.slice(0, 3)]).toEqual([status, String(status)])
      expect(Object.fromEntries(response.headers)).toEqual({
        ...named,
        ...(range === null ? {} : { 'content-range': range }),
        'content-type': 'text/plain; charset=utf-8',
        'content-length': String(text.length),
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      })
    },
  )

  test.each<[string, RequestInit]>([
    ['/built', { headers: { 'if-match': '"other"' } }],
    ['/robots.txt', { headers: { 'if-match': '"other"' } }],
    ['/gone.txt', { headers: { 'if-match': '"other"' } }],
    ['/_waymark/assets/none.js', {}],
  ])('HEAD of %s has the same headers, and no body', async (path, init) => {
    const { ask } = start({ handle })
    const got = await ask(path, init)
    const head = await ask(path, { ...init, method: 'HEAD' })
    expect([head.status, head.body]).toEqual([got.status, null])
    expect(Object.fromEntries(head.headers)).toEqual(Object.fromEntries(got.headers))
  })

  test('HEAD for a host that is not allowed has no body', async () => {
    const { ask } = start({ allowedHosts: ['b.test'] })
    const head = await ask('/built', { method: 'HEAD' })
    expect([head.status, head.body]).toEqual([400, null])
  })
})
