import { expect, test } from 'vitest'
import { forbidden } from '../../http/statuses.ts'
import { toServerRequest } from '../../http/web.ts'
import { redirect } from '../../routing/redirect.ts'
import { cookies, headers } from '../request/api.ts'
import { createScope, responseHeaders } from '../request/scope.ts'
import { createProxy, next, type ProxyFunction, rewrite } from './proxy.ts'
import { admitElsewhere, nothingElsewhere, readShownElsewhere } from './shownElsewhere.ts'

const origin = 'https://site.test'
const sent = { cookie: 'role=admin', 'x-a': 'b', 'x-user': 'forged' }

type Asked = { matcher?: string; isRewritten?: boolean; following?: Record<string, string> }

/** Says to come from `/admin`, in a request to `/photo` that goes on with other headers. */
async function admit(run: ProxyFunction, { matcher, isRewritten = false, following }: Asked = {}) {
  const init = { method: 'POST', body: 'arguments', headers: sent }
  const received = toServerRequest(new Request(`${origin}/photo`, init))
  const url = { pathname: '/photo', search: '' }
  const scope = createScope({ request: received, url, phase: 'render', onAfterError: () => '' })
  const request = following ? { ...received, headers: new Headers(following) } : received
  scope.request = request
  const proxy = createProxy({ default: run, ...(matcher ? { config: { matcher } } : {}) })
  const said = { from: '/admin', beside: ['/aside'] }
  const given = await admitElsewhere(said, { proxy, scope, received, request, isRewritten })
  return { ...given, scope, seen: Object.fromEntries(given.request.headers.entries()) }
}

const both = { from: '/admin', beside: ['/aside'] }

test.each<[string, object, ProxyFunction]>([
  ['lets it pass', both, () => undefined],
  ['lets it pass with headers', both, () => next({ headers: { a: 'b' } })],
  ['responds', nothingElsewhere, () => new Response('no', { status: 403 })],
  ['redirects', nothingElsewhere, () => redirect('/login')],
  ['forbids', nothingElsewhere, () => forbidden()],
  ['leads elsewhere', nothingElsewhere, () => rewrite('/login')],
  ['leads one to itself', { from: '/admin', beside: [] }, () => rewrite('/admin?as=it')],
])('where proxy.ts %s, what is used is %o', async (_, expected, run) => {
  expect((await admit(run)).elsewhere).toEqual(expected)
})

test('behind a request that is rewritten, the page is rewritten like it', async () => {
  const run: ProxyFunction = ({ url }) => rewrite(`/en${new URL(url).pathname}`)
  const { elsewhere } = await admit(run, { isRewritten: true })
  expect(elsewhere).toEqual({ from: '/en/admin', beside: ['/en/aside'] })
})

test('a page that proxy.ts does not match is open', async () => {
  expect((await admit(() => forbidden(), { matcher: '/other/:path*' })).elsewhere).toEqual(both)
})

test('a failure of proxy.ts opens nothing', async () => {
  const fails = () => {
    throw new Error('the database is away')
  }
  await expect(admit(fails)).rejects.toThrow('the database is away')
})

test('proxy.ts is asked about the request as it was received, without its body', async () => {
  const seen: unknown[] = []
  const run: ProxyFunction = async (web) => {
    if (!web.url.endsWith('/admin')) return
    const { method, url, body } = web
    seen.push(method, url, body, web.headers.get('x-a'), (await headers()).get('x-a'))
    seen.push((await cookies()).get('role')?.value)
  }
  const following = { 'x-user': 'ada' }
  const { scope, request } = await admit(run, { following })
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

test('a header that proxy.ts sets or removes for another page is not that of the client', async () => {
  const remove: ProxyFunction = (web) => {
    const kept = new Headers(web.headers)
    kept.delete('x-user')
    kept.delete('cookie')
    kept.set('x-role', 'none')
    return next({ requestHeaders: kept })
  }
  const { seen, scope, request } = await admit(remove)
  expect(seen).toMatchObject({ 'x-a': 'b', 'x-role': 'none' })
  expect(Object.keys(seen)).not.toContain('x-user')
  expect(scope.request.headers.get('x-user')).toBeNull()
  expect(scope.cookies.store().cookies.has('role')).toBe(false)
  expect(await request.toRequest().text()).toBe('arguments')
})

test('what proxy.ts has decided about a header for the URL itself stays', async () => {
  const run: ProxyFunction = ({ url }) =>
    next({ requestHeaders: { 'x-path': new URL(url).pathname, 'x-user': 'of admin' } })
  const following = { 'x-path': '/photo', 'x-user': 'ada' }
  expect((await admit(run, { following })).seen).toMatchObject(following)
})

const app = { isIntercepted: (pathname: string) => pathname === '/photo' }

function claims(kind: 'data' | 'document', pathname: string, init: RequestInit) {
  const read = { kind, pathname, search: '' }
  const request = toServerRequest(new Request(origin + pathname, init))
  return readShownElsewhere({ app, read, shown: read, request })
}

test.each<['data' | 'document', string, Record<string, string>, object]>([
  ['data', '/photo', { from: '/admin' }, { from: '/admin', beside: [] }],
  // Not what it is in a URL of the site.
  ['data', '/photo', { from: '//evil.example' }, nothingElsewhere],
  ['data', '/photo', { from: '/admin/' }, nothingElsewhere],
  ['data', '/photo', { from: '/%61dmin' }, { from: '/admin', beside: [] }],
  ['data', '/photo', { from: '/photo' }, nothingElsewhere],
  ['data', '/plain', { from: '/admin' }, nothingElsewhere],
  ['data', '/photo', { beside: '/a' }, nothingElsewhere],
  ['document', '/photo', { from: '/admin', beside: '/a' }, nothingElsewhere],
  ['document', '/photo', { from: '/admin', beside: '/a', action: 'x' }, nothingElsewhere],
])('a GET of the %s of %s that says %o claims %o', (kind, pathname, said, expected) => {
  const lines = Object.entries(said).map(([name, value]) => [`waymark-${name}`, value] as const)
  expect(claims(kind, pathname, { headers: lines.map(([...line]) => line) })).toEqual(expected)
})

test('a call claims pages beside its own, at most four', () => {
  const headers = { 'waymark-action': 'a#b', 'waymark-beside': '/a,/b,//c,/d,/e' }
  const init = { method: 'POST', headers }
  const beside = ['/a', '/b', '/d']
  expect(claims('document', '/plain', init)).toEqual({ from: null, beside })
  const form = { method: 'POST', headers: { 'waymark-beside': '/a', 'waymark-from': '/admin' } }
  expect(claims('document', '/photo', form)).toEqual(nothingElsewhere)
})
