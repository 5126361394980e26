import { expect, test } from 'vitest'
import { forbidden } from '../../http/statuses.ts'
import { toServerRequest } from '../../http/web.ts'
import { redirect } from '../../routing/redirect.ts'
import { cookies, headers } from '../request/api.ts'
import { createExchange } from '../request/exchange.ts'
import { noOtherPages, readOtherPages } from '../request/otherPages.ts'
import { createScope, responseHeaders } from '../request/scope.ts'
import { admitOtherPages } from './admitOtherPages.ts'
import { createProxy, next, type ProxyFunction, rewrite } from './proxy.ts'

const origin = 'https://site.test'
const sentHeaders = {
  cookie: 'role=admin',
  'x-a': 'b',
  'x-user': 'forged',
  'waymark-action': 'a#b',
  'waymark-from': '/admin',
  'waymark-beside': '/aside',
}
const app = { isIntercepted: (pathname: string) => /\/photo$/.test(pathname) }

type Options = {
  matcher?: string
  isRewritten?: boolean
  /** Request headers that proxy.ts set for the requested URL. */
  proxiedHeaders?: Record<string, string>
}

/** Admits the pages of a call to `/photo` that claims to come from `/admin`, and to show `/aside` in a slot. */
async function admit(
  run: ProxyFunction,
  { matcher, isRewritten = false, proxiedHeaders }: Options = {},
) {
  const init = { method: 'POST', body: 'arguments', headers: sentHeaders }
  const request = toServerRequest(new Request(`${origin}/photo`, init))
  const address = { kind: 'document', pathname: '/photo', search: '' } as const
  const url = { pathname: '/photo', search: '' }
  const scope = createScope({ request, url, phase: 'render', onAfterError: () => '' })
  const exchange = createExchange({ request, address, match: undefined, scope })
  if (proxiedHeaders) {
    const { 'waymark-action': action, 'waymark-from': from, 'waymark-beside': beside } = sentHeaders
    const internal = { 'waymark-action': action, 'waymark-from': from, 'waymark-beside': beside }
    exchange.request = { ...request, headers: new Headers({ ...proxiedHeaders, ...internal }) }
    scope.request = exchange.request
  }
  if (isRewritten) exchange.destination = { ...address, pathname: '/en/photo' }
  const proxy = createProxy({ default: run, ...(matcher ? { config: { matcher } } : {}) })
  await admitOtherPages(readOtherPages(exchange, app), exchange, proxy)
  const requestHeaders = Object.fromEntries(exchange.request.headers.entries())
  return { otherPages: exchange.otherPages, request: exchange.request, scope, requestHeaders }
}

const both = { from: '/admin', beside: ['/aside'] }

test.each<[string, object, ProxyFunction]>([
  ['lets it pass', both, () => undefined],
  ['lets it pass with headers', both, () => next({ headers: { a: 'b' } })],
  ['responds', noOtherPages, () => new Response('no', { status: 403 })],
  ['redirects', noOtherPages, () => redirect('/login')],
  ['forbids', noOtherPages, () => forbidden()],
  ['rewrites to another page', noOtherPages, () => rewrite('/login')],
  ['rewrites a page to itself', { from: '/admin', beside: [] }, () => rewrite('/admin?as=it')],
])('if proxy.ts %s, the other pages are %o', async (_, expected, run) => {
  expect((await admit(run)).otherPages).toEqual(expected)
})

test('if the request is rewritten, the other page is rewritten in the same way', async () => {
  const run: ProxyFunction = ({ url }) => rewrite(`/en${new URL(url).pathname}`)
  const { otherPages } = await admit(run, { isRewritten: true })
  expect(otherPages).toEqual({ from: '/en/admin', beside: ['/en/aside'] })
})

test('a page that proxy.ts does not match is admitted', async () => {
  expect((await admit(() => forbidden(), { matcher: '/other/:path*' })).otherPages).toEqual(both)
})

test('an error of proxy.ts admits nothing', async () => {
  const fails = () => {
    throw new Error('the database is down')
  }
  await expect(admit(fails)).rejects.toThrow('the database is down')
})

test('proxy.ts gets the original request, without its body', async () => {
  const seen: unknown[] = []
  const run: ProxyFunction = async (web) => {
    if (!web.url.endsWith('/admin')) return
    const { method, url, body } = web
    seen.push(method, url, body, web.headers.get('x-a'), (await headers()).get('x-a'))
    seen.push((await cookies()).get('role')?.value)
  }
  const proxiedHeaders = { 'x-user': 'ada' }
  const { scope, request } = await admit(run, { proxiedHeaders })
  expect(seen).toEqual(['POST', `${origin}/admin`, null, 'b', 'b', 'admin'])
  expect(scope).toMatchObject({ phase: 'render', url: { pathname: '/photo' } })
  expect(scope.request).toBe(request)
  expect(await request.toRequest().text()).toBe('arguments')
})

test('cookies that proxy.ts sets for another page are not sent', async () => {
  const { scope } = await admit(async () => {
    const jar = await cookies()
    jar.delete('role')
    return next({ headers: { 'set-cookie': 'a=1' } })
  })
  expect(responseHeaders(scope)).toEqual([])
  expect(scope.cookies.store().cookies.get('role')?.value).toBe('admin')
})

test('a header that proxy.ts sets or removes for another page replaces that of the client', async () => {
  const remove: ProxyFunction = (web) => {
    const requestHeaders = new Headers(web.headers)
    requestHeaders.delete('x-user')
    requestHeaders.delete('cookie')
    requestHeaders.set('x-role', 'none')
    return next({ requestHeaders })
  }
  const { requestHeaders, scope, request } = await admit(remove)
  expect(requestHeaders).toMatchObject({ 'x-a': 'b', 'x-role': 'none' })
  expect(Object.keys(requestHeaders)).not.toContain('x-user')
  expect(scope.request.headers.get('x-user')).toBeNull()
  expect(scope.cookies.store().cookies.has('role')).toBe(false)
  expect(await request.toRequest().text()).toBe('arguments')
})

test('a header that proxy.ts set for the URL itself stays', async () => {
  const run: ProxyFunction = ({ url }) =>
    next({ requestHeaders: { 'x-path': new URL(url).pathname, 'x-user': 'of admin' } })
  const proxiedHeaders = { 'x-path': '/photo', 'x-user': 'ada' }
  expect((await admit(run, { proxiedHeaders })).requestHeaders).toMatchObject(proxiedHeaders)
})

function claims(kind: 'data' | 'document', pathname: string, init: RequestInit) {
  const destination = { kind, pathname, search: '' }
  const request = toServerRequest(new Request(origin + pathname, init))
  return readOtherPages({ destination, address: destination, request }, app)
}

test.each<['data' | 'document', string, Record<string, string>, object]>([
  ['data', '/photo', { from: '/admin' }, { from: '/admin', beside: [] }],
  // This pathname isn't canonical, unlike the pathnames in the site's URLs.
  ['data', '/photo', { from: '//evil.example' }, noOtherPages],
  ['data', '/photo', { from: '/admin/' }, noOtherPages],
  ['data', '/photo', { from: '/%61dmin' }, { from: '/admin', beside: [] }],
  ['data', '/photo', { from: '/photo' }, noOtherPages],
  ['data', '/plain', { from: '/admin' }, noOtherPages],
  ['data', '/photo', { beside: '/a' }, noOtherPages],
  ['document', '/photo', { from: '/admin', beside: '/a' }, noOtherPages],
  ['document', '/photo', { from: '/admin', beside: '/a', action: 'x' }, noOtherPages],
])('a GET of the %s of %s that claims %o has the pages %o', (kind, pathname, claimed, expected) => {
  const lines = Object.entries(claimed).map(([name, value]) => [`waymark-${name}`, value] as const)
  expect(claims(kind, pathname, { headers: lines.map(([...line]) => line) })).toEqual(expected)
})

test('a call claims at most four pages beside its own', () => {
  const headers = { 'waymark-action': 'a#b', 'waymark-beside': '/a,/b,//c,/d,/e' }
  const init = { method: 'POST', headers }
  const beside = ['/a', '/b', '/d']
  expect(claims('document', '/plain', init)).toEqual({ from: null, beside })
  const form = { method: 'POST', headers: { 'waymark-beside': '/a', 'waymark-from': '/admin' } }
  expect(claims('document', '/photo', form)).toEqual(noOtherPages)
})
