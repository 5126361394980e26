import { describe, expect, test, vi } from 'vitest'
import type { ServerRequest } from '../../http/response.ts'
import { notFound } from '../../http/statuses.ts'
import { toServerRequest } from '../../http/web.ts'
import { redirect } from '../../routing/redirect.ts'
import { signalOf } from '../../wire/signals.ts'
import { statusOfFailure } from '../request/clientFailures.ts'
import { createProxy, next, type ProxyFunction, rewrite } from './proxy.ts'

const origin = 'https://site.test'

function proxied(target = '/a?b=1', init: RequestInit & { duplex?: 'half' } = {}) {
  const request = toServerRequest(new Request(origin + target, init))
  const [pathname = '', query] = target.split('?')
  return { request, pathname, search: query === undefined ? '' : `?${query}` }
}

function run(proxy: ProxyFunction, request = proxied()) {
  return createProxy({ default: proxy }).decide(request)
}

/** Describes how a route handler sees the request after proxy.ts. */
function seenBy(request: ServerRequest) {
  const web = request.toRequest()
  return { url: web.url, method: web.method, headers: Object.fromEntries(web.headers) }
}

describe('the module', () => {
  test.each([
    ['default', (run: ProxyFunction) => ({ default: run })],
    ['proxy', (run: ProxyFunction) => ({ proxy: run, config: {} })],
  ])('exports its function as %s', async (_, toModule) => {
    const decision = await createProxy(toModule(() => new Response('x'))).decide(proxied())
    expect(decision.kind).toBe('response')
  })

  test.each([
    [{}, /doesn't export a function to run\. /],
    [{ middleware: () => {}, config: {} }, /a function to run, only middleware, config/],
    [{ default: 1 }, /PROXY_EXPORT/],
  ])('without a function is refused', (module, message) => {
    expect(() => createProxy(module)).toThrow(message)
  })

  test('with an invalid matcher is refused at once', () => {
    const module = { default: () => undefined, config: { matcher: 'a' } }
    expect(() => createProxy(module)).toThrow(/PROXY_MATCHER/)
  })

  test('runs for the paths that its matcher matches', () => {
    const { matches } = createProxy({
      default: () => undefined,
      config: { matcher: '/admin/:path*' },
    })
    expect(['/other', '/admin', '/admin/a'].map(matches)).toEqual([false, true, true])
  })
})

describe('the request', () => {
  test.each([
    ['itself', (request: Request) => request.text()],
    ['its copy', (request: Request) => request.clone().text()],
  ])('has a body with a limit, and reading %s fails as the client’s mistake', async (_, read) => {
    const body = 'a'.repeat(11_000_000)
    const proxy = async (request: Request) => void (await read(request))
    const thrown = await run(proxy, proxied('/a', { method: 'POST', body })).catch((e) => e)
    expect(String(thrown)).toContain('too-large')
    expect(statusOfFailure(thrown, { request: undefined, match: undefined })).toBe(400)
  })

  test('has the URL of the page, even if its data was requested', async () => {
    const proxy = vi.fn((_: Request) => undefined)
    const data = { ...proxied('/_waymark/data/a.rsc?b=1'), pathname: '/a', search: '?b=1' }
    await run(proxy, data)
    await run(proxy, proxied('/a?b=1'))
    expect(proxy.mock.calls.map(([request]) => request.url)).toEqual([
      `${origin}/a?b=1`,
      `${origin}/a?b=1`,
    ])
  })

  test("has none of the framework's headers, which still reach the page", async () => {
    const headers = { 'waymark-mounted': '/', 'x-a': '1' }
    const proxy = vi.fn((request: Request) => next({ requestHeaders: request.headers }))
    const decision = await run(proxy, proxied('/a', { headers }))
    expect([...(proxy.mock.calls[0]?.[0].headers.keys() ?? [])]).toEqual([
      'x-a',
      'x-forwarded-host',
      'x-forwarded-proto',
    ])
    expect(decision.kind === 'next' && decision.request.headers.get('waymark-mounted')).toBe('/')
  })

  test('aborts when the client leaves', async () => {
    const controller = new AbortController()
    const proxy = vi.fn((_: Request) => undefined)
    await run(proxy, proxied('/a', { signal: controller.signal }))
    controller.abort()
    expect(proxy.mock.calls[0]?.[0].signal.aborted).toBe(true)
  })
})

describe('continuing', () => {
  test.each<[string, ProxyFunction]>([
    ['nothing', () => undefined],
    ['null', () => null],
    ['next()', () => next()],
    ['a promise of next()', async () => next()],
  ])('is the result of %s', async (_, proxy) => {
    const decision = await run(proxy)
    expect(decision).toMatchObject({ kind: 'next', headers: [] })
    expect(decision.kind === 'next' && seenBy(decision.request)).toEqual({
      url: `${origin}/a?b=1`,
      method: 'GET',
      headers: {},
    })
  })

  test('adds headers to the response, each set-cookie line separately', async () => {
    const headers = new Headers({ 'x-a': '1' })
    headers.append('set-cookie', 'a=1')
    headers.append('set-cookie', 'b=2; Expires=Thu, 01 Jan 1970 00:00:00 GMT')
    expect(await run(() => next({ headers }))).toMatchObject({
      headers: [
        ['set-cookie', 'a=1'],
        ['set-cookie', 'b=2; Expires=Thu, 01 Jan 1970 00:00:00 GMT'],
        ['x-a', '1'],
      ],
    })
  })

  test("replaces the request's headers except the framework's own", async () => {
    const requestHeaders = { 'x-user': '7', 'waymark-mounted': 'forged' }
    const decision = await run(
      () => next({ requestHeaders }),
      proxied('/a', { headers: { 'x-user': 'forged', 'x-b': '1' } }),
    )
    if (decision.kind !== 'next') throw new Error(decision.kind)
    expect(decision.request.headers.get('X-User')).toBe('7')
    expect(decision.request.headers.has('x-b')).toBe(false)
    expect(seenBy(decision.request).headers).toEqual({ 'x-user': '7' })
  })

  test.each([
    ['untouched', () => undefined],
    ['cloned and read', async (request: Request) => void (await request.clone().text())],
    ['with other headers', () => next({ requestHeaders: { 'x-a': '1' } })],
  ])('leaves the body readable: %s', async (_, proxy) => {
    const decision = await run(proxy, proxied('/a', { method: 'POST', body: 'posted' }))
    if (decision.kind !== 'next') throw new Error(decision.kind)
    const web = decision.request.toRequest()
    expect([web.method, await web.text()]).toEqual(['POST', 'posted'])
  })

  test('after reading the body is refused', async () => {
    const posted = proxied('/a', { method: 'POST', body: 'posted' })
    const proxy = async (request: Request) => {
      await request.text()
      return next()
    }
    await expect(run(proxy, posted)).rejects.toThrow(/read the body.*clone/)
  })
})

describe('a rewrite', () => {
  test.each<[string | URL, string, string]>([
    ['/c', '/c', ''],
    ['/c?d=e', '/c', '?d=e'],
    ['/c/', '/c', ''],
    ['/c//d?e', '/c/d', '?e'],
    ['/c/../d', '/d', ''],
    ['/%61', '/a', ''],
    ['/c#hash', '/c', ''],
    [new URL('/c?d', origin), '/c', '?d'],
    [`${origin}/c`, '/c', ''],
  ])('to %s goes to %s%s', async (target, pathname, search) => {
    const decision = await run(() => rewrite(target, { headers: { 'x-a': '1' } }))
    expect(decision).toMatchObject({ kind: 'next', pathname, search, headers: [['x-a', '1']] })
  })

  test.each([
    'https://evil.example/a',
    'http://site.test/a',
    'https://site.test.evil.example/a',
    'https://site.test@evil.example/a',
    '//evil.example/a',
    '/\\evil.example',
    'a',
    '',
    '?a',
    '/a%2Fb',
    '/a%00',
    '/a b',
    '/a%',
    '/../a',
    '/_waymark/data/a.rsc',
    '/%5Fwaymark/data/a.rsc',
    'javascript:alert(1)',
  ])('to %j is refused', async (target) => {
    await expect(run(() => rewrite(target))).rejects.toThrow(/PROXY_REWRITE/)
  })
})

describe('the path of a rewrite', () => {
  /** A proxy.ts that guards `/admin` with a header, and rewrites `/shown` to `/admin`. */
  const guarded =
    (refuse: () => ReturnType<ProxyFunction>): ProxyFunction =>
    ({ url, headers }) => {
      const { pathname } = new URL(url)
      if (pathname === '/shown') return rewrite('/admin/users?a')
      return pathname.startsWith('/admin') && !headers.has('x-key') ? refuse() : next()
    }

  test('is passed to the function, whose response counts', async () => {
    const proxy = guarded(() => new Response('no', { status: 403 }))
    expect(await run(proxy, proxied('/shown'))).toMatchObject({ response: { status: 403 } })
    const init = { headers: { 'x-key': '1' } }
    expect(await run(proxy, proxied('/shown', init))).toMatchObject({ pathname: '/admin/users' })
  })

  test('is refused by a signal, too', async () => {
    const thrown = await run(
      guarded(() => notFound()),
      proxied('/shown'),
    ).catch((thrown: unknown) => thrown)
    expect(signalOf(thrown)).toMatchObject({ status: 404 })
  })

  test('is not passed to the function if the matcher excludes it', async () => {
    const module = { default: guarded(() => Response.error()), config: { matcher: '/shown' } }
    const decision = await createProxy(module).decide(proxied('/shown'))
    expect(decision).toMatchObject({ kind: 'next', pathname: '/admin/users', search: '?a' })
  })

  test.each([
    ['Response.redirect()', (to: string) => Response.redirect(origin + to)],
    ['redirect()', (to: string) => redirect(to)],
  ])('passes if %s leads back to the requested path', async (_, lead) => {
    const proxy: ProxyFunction = ({ url }) => {
      const { pathname, search } = new URL(url)
      return pathname.startsWith('/en')
        ? lead(pathname.slice(3) + search)
        : rewrite(`/en${pathname}`)
    }
    expect(await run(proxy, proxied('/about'))).toMatchObject({ pathname: '/en/about' })
  })

  test('is refused by a redirect to the requested path with another query', async () => {
    const proxy: ProxyFunction = ({ url }) =>
      new URL(url).pathname === '/admin' ? Response.redirect(`${origin}/?login`) : rewrite('/admin')
    expect(await run(proxy, proxied('/'))).toMatchObject({ response: { status: 302 } })
  })

  test('is passed with the path that was rewritten', async () => {
    const seen: unknown[] = []
    const proxy: ProxyFunction = ({ url }, { rewrittenFrom }) => {
      seen.push([new URL(url).pathname, rewrittenFrom])
      return rewrite('/b')
    }
    expect(await run(proxy, proxied('/a'))).toMatchObject({ pathname: '/b' })
    expect(seen).toEqual([
      ['/a', null],
      ['/b', '/a'],
    ])
  })

  test('gets the headers that the function sets for it, besides those of the first run', async () => {
    const proxy: ProxyFunction = ({ url, headers }) => {
      const isAdmin = new URL(url).pathname === '/admin'
      const requestHeaders = new Headers(headers)
      if (isAdmin) requestHeaders.delete('x-user')
      else requestHeaders.set('x-first', '1')
      const added = { [isAdmin ? 'x-second' : 'x-both']: '1', 'x-both': isAdmin ? '2' : '1' }
      const options = { headers: added, requestHeaders }
      return isAdmin ? next(options) : rewrite('/admin', options)
    }
    const init = { method: 'POST', body: 'posted', headers: { 'x-user': 'forged' } }
    const decision = await run(proxy, proxied('/a', init))
    if (decision.kind !== 'next') throw new Error(decision.kind)
    expect(decision.headers).toEqual([
      ['x-both', '1'],
      ['x-second', '1'],
    ])
    expect(decision.request.headers.has('x-user')).toBe(false)
    expect(decision.request.headers.get('x-first')).toBe('1')
    expect(await decision.request.toRequest().text()).toBe('posted')
  })
})

describe('a response', () => {
  test('is the returned Response', async () => {
    const decision = await run(() => Response.json({ a: 1 }, { status: 418 }))
    if (decision.kind !== 'response') throw new Error(decision.kind)
    expect(decision.response).toMatchObject({
      status: 418,
      headers: [['content-type', 'application/json']],
    })
  })

  test('may redirect', async () => {
    const decision = await run((request) => Response.redirect(new URL('/login', request.url), 307))
    expect(decision).toEqual({
      kind: 'response',
      response: { status: 307, headers: [['location', `${origin}/login`]], body: null },
    })
  })

  test.each<[string, () => never, object]>([
    ['redirect', () => redirect('/login'), { kind: 'redirect', status: 307, location: '/login' }],
    ['notFound', () => notFound(), { kind: 'fallback', status: 404 }],
  ])('by %s is left to the caller', async (_, proxy, signal) => {
    const thrown = await run(proxy).catch((thrown: unknown) => thrown)
    expect(signalOf(thrown)).toEqual(signal)
  })

  test.each<[string, () => unknown]>([
    ['a text', () => 'x'],
    ['true', () => true],
    ['an object', () => ({})],
  ])('that is %s is refused', async (_, proxy) => {
    await expect(run(proxy as ProxyFunction)).rejects.toThrow(/PROXY_RESULT/)
  })

  test('whose body has been read is refused', async () => {
    const proxy = async () => {
      const response = new Response('x')
      await response.text()
      return response
    }
    await expect(run(proxy)).rejects.toThrow(/has been read already/)
  })
})
