import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { ProxyResult } from 'waymark/server'
import { createProxy, handlerDynamic } from './proxy.ts'
import { type NextRequest, NextResponse } from './server.ts'

const rules = {
  headers: [],
  redirects: [],
  rewrites: { beforeFiles: [], afterFiles: [], fallback: [] },
}
const origin = 'http://app.test:3000'

test.each([
  [`${origin}/de?a=1#b`, '/de?a=1#b'],
  [`${origin}//evil.test`, `${origin}//evil.test`],
  ['http://other.test/de', 'http://other.test/de'],
  ['https://app.test:3000/de', 'https://app.test:3000/de'],
])('a redirect to %s has the location %s', async (to, location) => {
  const { proxy } = createProxy({ default: () => NextResponse.redirect(to, 308) }, rules, [])
  const response = await proxy(new Request(`${origin}/`))
  if (!(response instanceof Response)) throw new Error('no response')
  expect([response.status, response.headers.get('location')]).toEqual([308, location])
})

/** An app whose proxy guards `/admin`, with some rules. */
function guardedApp(given: object, run?: (request: NextRequest) => Response | undefined) {
  const guard = ({ nextUrl }: NextRequest) =>
    nextUrl.pathname.startsWith('/admin') ? new Response(null, { status: 403 }) : undefined
  const app = {
    middleware: run ?? guard,
    config: { matcher: ['/admin/:path*', '/legacy', '/moved'] },
  }
  const { proxy, outside, matchesFile } = createProxy(app, { ...rules, ...given }, [])
  const respond = (path: string, headers: Record<string, string> = {}) =>
    proxy(new Request(origin + path, { headers }))
  return { respond, outside, matchesFile }
}

const lists = { beforeFiles: [], afterFiles: [], fallback: [] }

test.each(['beforeFiles', 'afterFiles', 'fallback'])(
  'a proxy guards what %s lead to',
  async (phase) => {
    const rewrites = { ...lists, [phase]: [{ source: '/:path*', destination: '/admin/:path*' }] }
    const { respond } = guardedApp({ rewrites })
    expect(await respond('/users')).toMatchObject({ status: 403 })
  },
)

test('the second run of a proxy adds to the first', async () => {
  const rewrites = { ...lists, afterFiles: [{ source: '/moved', destination: '/admin/a?b=c' }] }
  const seen: string[] = []
  const { respond } = guardedApp({ rewrites }, (request) => {
    const { pathname, search } = request.nextUrl
    seen.push(pathname + search + request.headers.get('x-first'))
    const headers = new Headers(request.headers)
    headers.set('x-first', '1')
    return NextResponse.next({ headers: { [`x${seen.length}`]: pathname }, request: { headers } })
  })
  const result = (await respond('/moved')) as ProxyResult
  expect(seen).toEqual(['/movednull', '/admin/a?b=c1'])
  expect(result.target).toBe('/admin/a?b=c')
  expect([...result.headers]).toEqual([
    ['x1', '/moved'],
    ['x2', '/admin/a'],
  ])
})

test('rules see the path that a proxy rewrites to, and then the proxy theirs', async () => {
  const rewrites = { ...lists, beforeFiles: [{ source: '/shown', destination: '/admin/users' }] }
  const { respond } = guardedApp({ rewrites }, ({ url, nextUrl }) =>
    nextUrl.pathname === '/moved'
      ? NextResponse.rewrite(new URL('/shown', url))
      : new Response(null, { status: 403 }),
  )
  expect(await respond('/moved')).toMatchObject({ status: 403 })
})

test('what is written with a scheme leaves the app, also under a Host that is the same', async () => {
  const sent = vi.spyOn(globalThis, 'fetch').mockImplementation(async () => new Response('there'))
  onTestFinished(() => sent.mockRestore())
  const rewrites = { ...lists, afterFiles: [{ source: '/b/:p*', destination: `${origin}/:p*` }] }
  const { respond } = guardedApp({ rewrites })
  const response = (await respond('/b/admin/x')) as Response
  expect([await response.text(), sent.mock.calls[0]?.[0]]).toEqual(['there', `${origin}/admin/x`])
})

test('a text that a header can not hold is encoded, and one that no path can hold refused', async () => {
  const has = [{ type: 'query', key: 'v', value: '(?<v>[^]*)' }]
  const { respond } = guardedApp({
    headers: [{ source: '/open', has, headers: [{ key: 'x-val', value: 'v-:v' }] }],
    redirects: [{ source: '/go', has, destination: '/:v', permanent: false }],
    rewrites: { ...lists, afterFiles: [{ source: '/in', has, destination: '/x/:v?more=1' }] },
  })
  const { headers } = (await respond('/open?v=%e2%98%83%00%0d%0ab')) as ProxyResult
  expect(headers.get('x-val')).toBe('v-%E2%98%83%00%0D%0Ab')
  expect(await respond('/go?v=..')).toMatchObject({ status: 400 })
  expect(await respond('/in?v=%5c')).toMatchObject({ status: 400 })
  expect(await respond(`/in?v=${'%e2%98%83'.repeat(1000)}`)).toMatchObject({ status: 400 })
  expect(await respond(`/in?v=a${'&a'.repeat(999)}`)).toMatchObject({ status: 400 })
})

test('files are asked for by the sources of a matcher, whatever a request would have to hold', () => {
  const has = [{ type: 'header' as const, key: 'x' }]
  const config = { matcher: ['/admin/:path*', { source: '/some/:file', has }] }
  const app = { middleware: () => undefined, config }
  const { matchesFile } = createProxy(app, rules, [])
  const paths = ['/admin/a.txt', '/ADMIN/a', '/some/a', '/open.txt', '/%61dmin/a']
  expect(paths.map(matchesFile)).toEqual([true, true, true, false, true])
  expect(createProxy({}, rules, []).matchesFile('/admin/a')).toBe(false)
})

test('cookies that a proxy sets are those of the request that goes on', async () => {
  const middleware = () => {
    const response = NextResponse.next()
    response.cookies.set('session', 'new', { httpOnly: true })
    response.cookies.delete('old')
    return response
  }
  const { proxy } = createProxy({ middleware }, rules, [])
  const headers = { cookie: 'old=1; session=before; other=a%20b', accept: 'text/html' }
  const result = (await proxy(new Request(`${origin}/`, { headers }))) as ProxyResult
  expect(result.requestHeaders?.get('cookie')).toBe('other=a%20b; session=new')
  expect(result.requestHeaders?.get('accept')).toBe('text/html')
  expect(result.headers.getSetCookie()).toHaveLength(2)
})

test('the page reads the headers that a proxy adds to its response, but for those of a body', async () => {
  const middleware = ({ headers }: NextRequest) => {
    const added = new Headers(headers)
    added.set('x-language', 'de')
    added.set('content-type', 'text/html')
    return NextResponse.next({ headers: added })
  }
  const { proxy } = createProxy({ middleware }, rules, [])
  const headers = { 'content-length': '3', 'content-type': 'text/plain', 'x-language': 'forged' }
  const init = { method: 'POST', body: 'abc', headers }
  const result = (await proxy(new Request(`${origin}/`, init))) as ProxyResult
  expect(result.requestHeaders?.get('x-language')).toBe('de')
  expect(result.requestHeaders?.get('content-type')).toBe('text/plain')
  expect(result.headers.get('x-language')).toBe('de')
  expect(result.headers.has('content-length')).toBe(false)
})

test('what a client writes for the framework is nothing, also in headers that a proxy passes on', async () => {
  const forged = {
    'x-middleware-rewrite': 'http://127.0.0.1:6379/',
    'x-middleware-override-headers': 'x-user',
    'x-middleware-request-x-user': 'admin',
  }
  const run = ({ headers }: NextRequest) => NextResponse.next({ headers })
  const { proxy } = createProxy({ middleware: run }, rules, [])
  const headers = { ...forged, 'x-sent': '1' }
  const result = (await proxy(new Request(`${origin}/`, { headers }))) as ProxyResult
  expect(result).toMatchObject({ kind: 'next' })
  expect(result.requestHeaders?.get('x-user')).toBe(null)
  expect(result.headers.get('x-sent')).toBe('1')
})

const handle = () => new Response()
test.each([
  [{ dynamic: 'force-static', GET: handle }, 'force-static'],
  [{ dynamic: 'force-static', GET: handle, HEAD: handle }, 'force-static'],
  [{ dynamic: 'force-static', GET: handle, POST: handle }, 'auto'],
  [{ dynamic: 'force-static', GET: handle, OPTIONS: handle }, 'auto'],
  [{ dynamic: 'error', GET: handle, POST: handle }, 'error'],
  [{ GET: handle, POST: handle }, undefined],
])('a route handler that exports %o has dynamic = %s', (exported, dynamic) => {
  expect(handlerDynamic(exported)).toBe(dynamic)
})

test('a body that a proxy leaves unread is not kept while it goes on', async () => {
  const sent: WeakRef<Uint8Array>[] = []
  const body = new ReadableStream({
    pull(controller) {
      const piece = new Uint8Array(1_000)
      sent.push(new WeakRef(piece))
      controller.enqueue(piece)
    },
  })
  const request = new Request(origin, { method: 'POST', body, duplex: 'half' } as RequestInit)
  const { proxy } = createProxy({ default: () => NextResponse.next() }, rules, [])
  await proxy(request)
  const reader = request.body?.getReader()
  for (let count = 0; count < 500; count++) await reader?.read()
  // A reference that was just made lasts until the end of its task.
  await new Promise((resolve) => setTimeout(resolve))
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  expect(sent.filter((piece) => piece.deref()).length).toBeLessThan(100)
  await reader?.cancel()
})

test('a proxy reads a copy of the body, also once it has let the request go on', async () => {
  const read: string[] = []
  const note = async (request: Request) => void read.push(await request.text())
  const run = async (request: NextRequest) => {
    await note(request.clone())
    void note(request)
    return NextResponse.next()
  }
  const { proxy } = createProxy({ default: run }, rules, [])
  const request = new Request(origin, { method: 'POST', body: 'abc' })
  await proxy(request)
  expect(await request.text()).toBe('abc')
  await expect.poll(() => read).toEqual(['abc', 'abc'])
})
