import { describe, expect, test } from 'vitest'
import type { PlannedRoute, PrerenderedUrl, Prerenderer } from '../../builds/cachedPage.ts'
import type { PrerenderMessage } from './prerenderApp.ts'
import { type BodyWriter, renderAll } from './renderAll.ts'

function route(pattern: string, rest: Partial<PlannedRoute> = {}): PlannedRoute {
  return {
    pattern,
    kind: 'page',
    file: `${pattern}/page.tsx`,
    pathnames: [pattern],
    dynamicReason: null,
    isPartial: false,
    revalidateSeconds: null,
    rendersOthers: true,
    ...rest,
  }
}

const answer = { status: 200, headers: [], body: Buffer.from('x') }
const page: PrerenderedUrl = {
  kind: 'response',
  document: answer,
  data: answer,
  life: { tags: [], revalidateSeconds: null, expireSeconds: null },
  isIntercepted: false,
  leftToBrowser: [],
}

async function run(routes: PlannedRoute[], render: (pathname: string) => PrerenderedUrl) {
  const written: string[] = []
  const messages: PrerenderMessage[] = []
  const bodies: BodyWriter = {
    write(file, { status, headers }) {
      written.push(file)
      return { file, status, headers }
    },
    writeShell(file, _shell, life) {
      written.push(file)
      return { file, life }
    },
  }
  const prerenderer: Prerenderer = {
    isProxied: false,
    isGuarded: (pathname) => pathname.startsWith('/vault'),
    isGuardedFile: (pathname) => pathname.endsWith('.pdf'),
    plan: async () => routes,
    render: async (pathname) => render(pathname),
    renderNotFound: async () => answer,
  }
  const report = (message: PrerenderMessage) => void messages.push(message)
  const result = await renderAll({
    prerenderer,
    bodies,
    concurrency: 2,
    report,
    publicFiles: ['/logo.svg', '/plan.pdf'],
  })
  return { result, written, messages }
}

describe('redirects between static pages', () => {
  const to = (location: string): PrerenderedUrl => {
    const headers: [string, string][] = [['location', location]]
    return { ...page, document: { ...answer, status: 307, headers } }
  }
  const targets: Record<string, string> = {
    '/start': '/a?x=1',
    '/a': '/b',
    '/b': '/a/',
    '/c': '/d',
  }
  const render = (pathname: string) => (targets[pathname] ? to(targets[pathname]) : page)

  test('fail if they form a loop, which is reported once', async () => {
    const routes = ['/start', '/a', '/b', '/c', '/d'].map((each) => route(each))
    const { result } = await run(routes, render)
    expect(result).toEqual({
      kind: 'failed',
      failures: [
        {
          pathname: '/a',
          file: '/a/page.tsx',
          stack: null,
          reason: expect.stringContaining('in a loop, /a → /b → /a.'),
        },
      ],
    })
  })

  test('may lead to a page, another site, or outside the app', async () => {
    const others: Record<string, string> = {
      '/a': 'https://a.test/a',
      '/b': '//a.test/b',
      '/c': '/d',
    }
    const routes = ['/a', '/b', '/c', '/d'].map((each) => route(each))
    const { result } = await run(routes, (pathname) =>
      others[pathname] ? to(others[pathname]) : page,
    )
    expect(result.kind).toBe('done')
  })
})

describe('rendering all URLs', () => {
  test('lists the pages, their data and the files that proxy.ts guards', async () => {
    const { result } = await run([route('/'), route('/vault/a')], () => page)
    expect(result.kind === 'done' && result.outcome.guarded).toEqual([
      '/_waymark/data/vault/a.rsc',
      '/plan.pdf',
      '/vault/a',
    ])
  })

  test('writes documents and data, and lists them by URL', async () => {
    const { result, written } = await run([route('/'), route('/b')], () => page)
    expect(written.sort()).toEqual([
      'b.html',
      'b.rsc',
      'index.html',
      'index.rsc',
      'not-found~.html',
    ])
    expect(result.kind === 'done' && Object.keys(result.outcome.files)).toEqual([
      '/',
      '/_waymark/data.rsc',
      '/_waymark/data/b.rsc',
      '/b',
    ])
  })

  test('leaves the data of intercepted URLs to the handler if a navigation may be intercepted', async () => {
    const { result } = await run([route('/p')], () => ({ ...page, isIntercepted: true }) as never)
    if (result.kind !== 'done') throw new Error('failed')
    expect(result.outcome.files['/_waymark/data/p.rsc']?.handlerOnHeaders).toEqual([
      'waymark-final-status',
      'waymark-from',
    ])
    expect(result.outcome.files['/p']?.handlerOnHeaders).toBeUndefined()
  })

  test("renders no URL of a dynamic route, and reports why it's dynamic", async () => {
    const requested: string[] = []
    const routes = [route('/a', { dynamicReason: 'force-dynamic in a' }), route('/b'), route('/c')]
    const { result } = await run(routes, (pathname) => {
      requested.push(pathname)
      return pathname === '/b' ? { kind: 'dynamic', reason: 'cookies()' } : page
    })
    expect(requested).toEqual(['/b', '/c'])
    expect(
      result.kind === 'done' && result.outcome.routes.map((each) => each.dynamicReason),
    ).toEqual(['force-dynamic in a', 'uses cookies()', null])
  })

  test('lists only the URLs of a route that are static', async () => {
    const pathnames = ['/s/1', '/s/2']
    const { result } = await run(
      [route('/s/[id]', { pathnames, rendersOthers: false })],
      (pathname) => (pathname === '/s/1' ? page : { kind: 'dynamic', reason: 'headers()' }),
    )
    if (result.kind !== 'done') throw new Error('failed')
    const [only] = result.outcome.routes
    expect(only).toMatchObject({
      dynamicReason: null,
      isPartial: false,
      pathnames: ['/s/1'],
      onlyPathnames: pathnames,
    })
  })

  test('reports every URL that failed', async () => {
    const { result, messages } = await run([route('/a'), route('/b'), route('/c')], (pathname) =>
      pathname === '/b' ? page : { kind: 'failed', thrown: new Error(`no ${pathname}`) },
    )
    expect(result).toMatchObject({
      kind: 'failed',
      failures: [
        { pathname: '/a', file: '/a/page.tsx', reason: 'no /a' },
        { pathname: '/c', file: '/c/page.tsx', reason: 'no /c' },
      ],
    })
    expect(messages.filter(({ kind }) => kind === 'ended')).toHaveLength(3)
  })

  test('leaves out a page that only browsers can render, and continues', async () => {
    const inPart = { ...page, leftToBrowser: [new Error('in a part')] }
    const { result, written } = await run([route('/a'), route('/b')], (pathname) =>
      pathname === '/b'
        ? inPart
        : { kind: 'failed', thrown: new Error('no window'), rendersInBrowser: true },
    )
    if (result.kind !== 'done') throw new Error('failed')
    expect(written).toEqual(['b.html', 'b.rsc', 'not-found~.html'])
    expect(result.outcome.routes.map(({ dynamicReason }) => dynamicReason)).toEqual([
      'has a client component that throws on the server',
      null,
    ])
    expect(result.outcome.clientFailures).toMatchObject([
      { pathname: '/a', file: '/a/page.tsx', reason: 'no window', isInSuspense: false },
      { pathname: '/b', file: '/b/page.tsx', reason: 'in a part', isInSuspense: true },
    ])
  })
})
