import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { ProxyResult } from 'waymark/server'
import { createProxy, handlerDynamic, withNextRequest } from './proxy.ts'
import { NextRequest, NextResponse } from './server.ts'

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

/** Creates an app whose proxy guards `/admin`, with additional rules. */
function guardedApp(ruleOverrides: object, run?: (request: NextRequest) => Response | undefined) {
  const guard = ({ nextUrl }: NextRequest) =>
    nextUrl.pathname.startsWith('/admin') ? new Response(null, { status: 403 }) : undefined
  const app = {
    middleware: run ?? guard,
    config: { matcher: ['/admin/:path*', '/legacy', '/moved'] },
  }
  const { proxy, outside, matchesFile } = createProxy(app, { ...rules, ...ruleOverrides }, [])
  const respond = (path: string, headers: Record<string, string> = {}) =>
    proxy(new Request(origin + path, { headers }))
  return { respond, outside, matchesFile }
}

const lists = { beforeFiles: [], afterFiles: [], fallback: [] }

test.each(['beforeFiles', 'afterFiles', 'fallback'])(
  'a proxy guards the targets of %s',
  async (phase) => {
    const rewrites = { ...lists, [phase]: [{ source: '/:path*', destination: '/admin/:path*' }] }
    const { respond } = guardedApp({ rewrites })
    expect(await respond('/users')).toMatchObject({ status: 403 })
  },
)

test('the second run of a proxy adds to the headers of the first', async () => {
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

test('rules see the path that a proxy rewrites to, and then the proxy sees the path of the rule', async () => {
  const rewrites = { ...lists, beforeFiles: [{ source: '/shown', destination: '/admin/users' }] }
  const { respond } = guardedApp({ rewrites }, ({ url, nextUrl }) =>
    nextUrl.pathname === '/moved'
      ? NextResponse.rewrite(new URL('/shown', url))
      : new Response(null, { status: 403 }),
  )
  expect(await respond('/moved')).toMatchObject({ status: 403 })
})

test('a target with a scheme leaves the app, even if Host has the same name', async () => {
  const sent = vi.spyOn(globalThis, 'fetch').mockImplementation(async () => new Response('there'))
  onTestFinished(() => sent.mockRestore())
  const rewrites = { ...lists, afterFiles: [{ source: '/b/:p*', destination: `${origin}/:p*` }] }
  const { respond } = guardedApp({ rewrites })
  const response = (await respond('/b/admin/x')) as Response
  expect([await response.text(), sent.mock.calls[0]?.[0]]).toEqual(['there', `${origin}/admin/x`])
})

test('text that is not allowed in a header is encoded, and text that is not allowed in a path is refused', async () => {
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

test('for files, only the source of a matcher counts, not its conditions', () => {
  const has = [{ type: 'header' as const, key: 'x' }]
  const config = { matcher: ['/admin/:path*', { source: '/some/:file', has }] }
  const app = { middleware: () => undefined, config }
  const { matchesFile } = createProxy(app, rules, [])
  const paths = ['/admin/a.txt', '/ADMIN/a', '/some/a', '/open.txt', '/%61dmin/a']
  expect(paths.map(matchesFile)).toEqual([true, true, true, false, true])
  expect(createProxy({}, rules, []).matchesFile('/admin/a')).toBe(false)
})

test('cookies that a proxy sets are part of the forwarded request', async () => {
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

test('the page reads the headers that a proxy adds to its response, except for headers of a body', async () => {
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

test("the framework's own headers are ignored if they come from a client, even if a proxy passes them on", async () => {
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

test("a body that a proxy doesn't read is not buffered", async () => {
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
  // Wait for the next task, because a new weak reference keeps its target alive until the current
  // task ends.
  await new Promise((resolve) => setTimeout(resolve))
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  expect(sent.filter((piece) => piece.deref()).length).toBeLessThan(100)
  await reader?.cancel()
})

test('a proxy reads a copy of the body, even after the request has continued', async () => {
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

/** Creates an app that guards `/admin`, and forwards `/legacy` to a different server. */
function movingApp(lead: (request: NextRequest, path: string) => Response, hosts?: string[]) {
  const runs: string[] = []
  const middleware = (request: NextRequest) => {
    const { pathname } = request.nextUrl
    runs.push(pathname)
    const isAllowed = request.cookies.get('role')?.value === 'admin'
    if (pathname.startsWith('/admin') && !isAllowed) return new Response('denied', { status: 403 })
    return pathname.startsWith('/legacy/') ? lead(request, pathname.slice('/legacy'.length)) : null
  }
  const config = { matcher: ['/admin/:path*', '/legacy/:path*', '/open'] }
  const { proxy } = createProxy({ middleware, config }, rules, [], hosts)
  const respond = (host: string, path: string, init: RequestInit = {}) =>
    proxy(new Request(`http://${host}${path}`, { ...init, headers: { host, ...init.headers } }))
  return { runs, respond }
}

/** Replaces `fetch` with a function that responds with the requested URL. */
function catchFetch(): string[] {
  const sent: string[] = []
  const spy = vi.spyOn(globalThis, 'fetch').mockImplementation(async (url) => {
    sent.push(String(url))
    return new Response(`upstream ${url}`)
  })
  onTestFinished(() => spy.mockRestore())
  return sent
}

const legacy = '127.0.0.1:6190'

test.each<[string, (request: NextRequest, path: string) => Response]>([
  ['a constant', (_, path) => NextResponse.rewrite(new URL(path, `http://${legacy}`))],
  ['a text', (_, path) => NextResponse.rewrite(`http://${legacy}${path}`)],
  [
    "a constant, although the request's URL is read",
    ({ url }, path) =>
      NextResponse.rewrite(new URL(path + new URL(url).search, `http://${legacy}`)),
  ],
  [
    'a copy of nextUrl with another host',
    ({ nextUrl }, path) => {
      const url = nextUrl.clone()
      url.host = legacy
      url.pathname = path
      return NextResponse.rewrite(url)
    },
  ],
  [
    'nextUrl of a request that the app creates',
    (request, path) =>
      NextResponse.rewrite(new NextRequest(`http://${legacy}${path}`, request).nextUrl),
  ],
])("a rewrite to another server's address leaves the app for every Host: %s", async (_, lead) => {
  const sent = catchFetch()
  const { respond } = movingApp(lead)
  for (const host of ['app.test', legacy, legacy.toUpperCase(), `${legacy}`]) {
    for (const method of ['GET', 'POST']) {
      const response = (await respond(host, '/legacy/admin/users', { method })) as Response
      expect(await response.text()).toBe(`upstream http://${legacy}/admin/users`)
    }
  }
  expect(new Set(sent)).toEqual(new Set([`http://${legacy}/admin/users`]))
})

test.each<[string, (request: NextRequest, path: string) => Response]>([
  ['request.url', ({ url }, path) => NextResponse.rewrite(new URL(path, url))],
  ['nextUrl', ({ nextUrl }, path) => NextResponse.rewrite(new URL(path, nextUrl))],
  ['nextUrl.origin', ({ nextUrl }, path) => NextResponse.rewrite(nextUrl.origin + path)],
  [
    'a copy of nextUrl',
    ({ nextUrl }, path) => {
      const url = nextUrl.clone()
      url.pathname = path
      return NextResponse.rewrite(url)
    },
  ],
  [
    'a copy of the request',
    (request, path) => NextResponse.rewrite(new URL(path, new Request(request).url)),
  ],
  [
    'the header Host',
    ({ headers }, path) => NextResponse.rewrite(new URL(path, `http://${headers.get('host')}`)),
  ],
  [
    'x-forwarded-host',
    ({ headers }, path) => NextResponse.rewrite(`http://${headers.get('x-forwarded-host')}${path}`),
  ],
])('a rewrite to a URL made of %s stays in the app, whose guard sees it', async (_, lead) => {
  const sent = catchFetch()
  const { respond } = movingApp(lead)
  // Parsing a URL changes the spelling of the last two hosts.
  for (const host of ['app.test', legacy, '169.254.169.254', '0x7f.1:6190', '2130706433']) {
    expect(await respond(host, '/legacy/admin/users')).toMatchObject({ status: 403 })
    expect(await respond(host, '/legacy/other?a')).toMatchObject({ kind: 'rewrite' })
    const headers = { cookie: 'role=admin' }
    const passed = await respond(host, '/legacy/admin/users', { headers })
    expect(passed).toMatchObject({ kind: 'rewrite', target: '/admin/users' })
  }
  expect(sent).toEqual([])
})

test("a host of one letter doesn't multiply the client's text", async () => {
  const lead = ({ url }: NextRequest, path: string) => NextResponse.rewrite(new URL(path, url))
  const lengths: number[] = []
  const { respond } = movingApp((request, path) => {
    lengths.push([...request.headers].join('').length)
    return lead(request, path)
  })
  const headers = { cookie: `a=${'a'.repeat(10_000)}`, 'x-forwarded-host': 'a, a' }
  await respond('a', '/legacy/open', { headers })
  expect(Math.max(...lengths)).toBeLessThan(1_000_000)
})

test('in an app that lists its hosts, the proxy runs once for each path', async () => {
  const lead = ({ url }: NextRequest, path: string) => NextResponse.rewrite(new URL(path, url))
  const named = movingApp(lead, ['app.test', '*.app.test'])
  await named.respond('app.test', '/legacy/open')
  expect(named.runs).toEqual(['/legacy/open', '/open'])
  // If the app allows a wildcard, the other server's name may be a subdomain of the app's own host.
  const below = movingApp(lead, ['app.test', '*.app.test'])
  await below.respond('a.app.test', '/legacy/open')
  await below.respond('a.app.test', '/legacy/open')
  expect(below.runs).toEqual(['/legacy/open', '/legacy/open', '/open', '/legacy/open', '/open'])
})

test('a proxy can distinguish its own rewrites from paths that a client requests', async () => {
  const middleware = (
    { nextUrl }: NextRequest,
    { rewrittenFrom }: { rewrittenFrom: string | null },
  ) => {
    const { pathname } = nextUrl
    if (pathname.startsWith('/sites/')) {
      return rewrittenFrom === null ? new Response(null, { status: 404 }) : undefined
    }
    return NextResponse.rewrite(new URL(`/sites/a${pathname}`, nextUrl))
  }
  const { proxy } = createProxy({ middleware }, rules, [])
  const result = await proxy(new Request(`${origin}/about`))
  expect(result).toMatchObject({ kind: 'rewrite', target: '/sites/a/about' })
  expect(await proxy(new Request(`${origin}/sites/a/about`))).toMatchObject({ status: 404 })
})

test('a redirect back to the requested path does not count as a refusal', async () => {
  const middleware = ({ nextUrl, url }: NextRequest) => {
    const { pathname, search } = nextUrl
    return pathname.startsWith('/en')
      ? NextResponse.redirect(new URL(pathname.slice(3) + search, url))
      : NextResponse.rewrite(new URL(`/en${pathname}${search}`, url))
  }
  const { proxy } = createProxy({ middleware }, rules, [])
  const result = await proxy(new Request(`${origin}/about?a`))
  expect(result).toMatchObject({ kind: 'rewrite', target: '/en/about?a' })
})

test('headers that a client names in Connection are removed before the proxy runs and for the page', async () => {
  const seen: (string | null)[] = []
  const middleware = ({ headers }: NextRequest) => void seen.push(headers.get('x-role'))
  const { proxy } = createProxy({ middleware }, rules, [])
  const headers = { connection: 'upgrade, x-role', upgrade: 'websocket', 'x-role': 'a', 'x-b': 'c' }
  const result = (await proxy(new Request(`${origin}/`, { headers }))) as ProxyResult
  expect(seen).toEqual([null])
  expect(Object.fromEntries(result.requestHeaders ?? [])).toEqual({
    connection: 'upgrade, x-role',
    upgrade: 'websocket',
    'x-b': 'c',
  })
})

test.each([
  ['whole', (request: Request) => request.text()],
  ['in pieces', (request: Request) => new Response(request.body).text()],
  ['as a copy', (request: Request) => request.clone().text()],
])('a body that a proxy reads %s is limited to 10 MB', async (_, read) => {
  const { proxy } = createProxy(
    { default: async (request: Request) => void (await read(request)) },
    rules,
    [],
  )
  const send = (length: number) =>
    proxy(new Request(origin, { method: 'POST', body: 'a'.repeat(length) }))
  expect(await send(10_000_000)).toMatchObject({ kind: 'next' })
  await expect(send(10_000_001)).rejects.toThrow(/larger than|too-large/)
})

test('a body that a route handler reads completely is limited to 10 MB', async () => {
  const handler = withNextRequest((request: Request) => request.text())
  const run = handler as (request: Request, context: unknown) => Promise<string>
  const request = new Request(origin, { method: 'POST', body: 'a'.repeat(10_000_001) })
  await expect(run(request, {})).rejects.toThrow(/too-large/)
})
