import { expect, test } from 'vitest'
import { redirect } from '../../shared/redirect.ts'
import { forbidden } from '../../shared/statuses.ts'
import { toServerRequest } from '../../shared/web.ts'
import { cookies, headers } from '../request/api.ts'
import { createScope, runInScope } from '../request/scope.ts'
import {
  createProxy,
  next,
  type ProxyFunction,
  passProxy,
  pathnameAfterProxy,
  rewrite,
} from './proxy.ts'

const seen = { matches: () => true, matchesFile: () => false, respondOutside: () => null }

const origin = 'https://site.test'

async function locationFor(kind: 'document' | 'data', location: string): Promise<string> {
  const read = { kind, pathname: '/a', search: '' }
  const request = toServerRequest(new Request(`${origin}/a`))
  const scope = createScope({ request, url: read, phase: 'render', onAfterError: () => {} })
  const headers: [string, string][] = [
    ['Location', location],
    ['x-kept', '1'],
  ]
  const answer = { status: 307, headers, body: null }
  const passed = await passProxy(read, request, scope, {
    proxy: { ...seen, decide: async () => ({ kind: 'response', response: answer }) },
    buildId: 'b1',
  })
  const given = passed.kind === 'responded' ? passed.response.headers : []
  expect(given).toContainEqual(['x-kept', '1'])
  return new Headers(given).get('location') ?? ''
}

test.each([
  ['/b?c=1', '/_waymark/data/b.rsc?c=1'],
  // What Response.redirect(new URL('/b', request.url)) says.
  [`${origin}/b`, '/_waymark/data/b.rsc'],
  [origin, '/_waymark/data.rsc'],
  // Left to the browser.
  [`${origin}/b#part`, ''],
  ['https://site.test.example/b', ''],
  [`${origin}//b.example`, ''],
  ['https://other.example/b', ''],
])('a redirect of page data to %s leads to %s', async (location, expected) => {
  expect(await locationFor('data', location)).toBe(expected)
  expect(await locationFor('document', location)).toBe(location)
})

test.each([
  ['data', '1'],
  ['document', null],
] as const)(
  'what it answers itself says of %s that the document is to be loaded: %s',
  async (kind, expected) => {
    const read = { kind, pathname: '/a', search: '' }
    const request = toServerRequest(new Request(`${origin}/a`))
    const scope = createScope({ request, url: read, phase: 'render', onAfterError: () => {} })
    const answer = { status: 403, headers: [], body: 'no' }
    const passed = await passProxy(read, request, scope, {
      proxy: { ...seen, decide: async () => ({ kind: 'response', response: answer }) },
      buildId: 'b1',
    })
    const given = passed.kind === 'responded' ? passed.response : answer
    expect([given.status, given.body]).toEqual([403, 'no'])
    expect(new Headers(given.headers).get('waymark-document')).toBe(expected)
  },
)

/** Asks about `/admin`, in a request to `/photo` that went on with other headers. */
async function asks(run: ProxyFunction, matcher?: string) {
  const sent = { method: 'POST', body: 'arguments', headers: { cookie: 'role=admin', 'x-a': 'b' } }
  const request = toServerRequest(new Request(`${origin}/photo`, sent))
  const url = { pathname: '/photo', search: '' }
  const scope = createScope({ request, url, phase: 'render', onAfterError: () => {} })
  const following = { ...request, headers: new Headers({ 'x-user': 'ada' }) }
  Object.assign(scope, { request: following })
  const passesTo = runInScope(scope, () =>
    pathnameAfterProxy(
      '/admin',
      request,
      scope,
      createProxy({ default: run, ...(matcher ? { config: { matcher } } : {}) }),
    ),
  )
  return { passesTo: await passesTo, scope, request, following }
}

test.each<[string, string | null, ProxyFunction]>([
  ['lets it pass', '/admin', () => undefined],
  ['lets it pass with headers', '/admin', () => next({ headers: { a: 'b' } })],
  ['answers', null, () => new Response('no', { status: 403 })],
  ['redirects', null, () => redirect('/login')],
  ['forbids', null, () => forbidden()],
  ['leads elsewhere', '/login', () => rewrite('/login')],
  ['leads to it', '/admin', () => rewrite('/admin?as=it')],
])('a request for another page, where proxy.ts %s, passes to %s', async (_, expected, run) => {
  expect((await asks(run)).passesTo).toBe(expected)
})

test('a page that proxy.ts does not match is open', async () => {
  const { passesTo } = await asks(() => forbidden(), '/other/:path*')
  expect(passesTo).toBe('/admin')
})

test('a failure of proxy.ts opens nothing', async () => {
  const fails = () => {
    throw new Error('the database is away')
  }
  await expect(asks(fails)).rejects.toThrow('the database is away')
})

test('proxy.ts is asked about the request as it was received, without its body', async () => {
  const seen: unknown[] = []
  const { scope, request, following } = await asks(async (web) => {
    const { method, url, body } = web
    seen.push(method, url, body, web.headers.get('x-a'), (await headers()).get('x-a'))
    seen.push((await cookies()).get('role')?.value)
    return undefined
  })
  expect(seen).toEqual(['POST', `${origin}/admin`, null, 'b', 'b', 'admin'])
  expect(scope).toMatchObject({ phase: 'render', url: { pathname: '/photo' } })
  expect(scope.request).toBe(following)
  expect(await request.toRequest().text()).toBe('arguments')
})
