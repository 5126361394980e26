import { expect, test } from 'vitest'
import { createDependencyTracker } from './cache/cacheLife.ts'
import { notFound } from './http/statuses.ts'
import { toServerRequest } from './http/web.ts'
import { redirect } from './routing/redirect.ts'
import { createHashSender, createIsCredential } from './rsc/action/credentials.ts'
import { addCacheTags, createFollowedPage } from './rsc/page/followedPage.ts'
import { statusOfFailure } from './rsc/request/clientFailures.ts'
import { currentRequest } from './rsc/request/currentRequest.ts'
import { createBodyError, readText } from './rsc/request/readBody.ts'
import { type CacheScope, createScope, runInScope } from './rsc/request/scope.ts'
import { pageUrls } from './wire/pageUrls.ts'
import { signalStatus } from './wire/signals.ts'

// Tests the functions of `waymark/plugin/server`, which packages call on the server.

const requestOf = (cookie: string) =>
  toServerRequest(new Request('https://site.test/notes?page=2', { headers: { cookie } }))

function scopeOf(cookie = '', life = createDependencyTracker()) {
  const request = requestOf(cookie)
  const url = { pathname: '/notes', search: '?page=2' }
  const onAfterError = (thrown: unknown) => `digest of ${thrown}`
  return createScope({ request, url, phase: 'render', onAfterError, life })
}

test('the current request is available while app code runs for it', () => {
  expect(currentRequest()).toBeNull()
  const scope = scopeOf()
  const current = runInScope(scope, currentRequest)
  expect(current).toMatchObject({ phase: 'render', pathname: '/notes', cache: null })
  expect(current?.request).toBe(scope.request)
  expect(current?.reportError('an error')).toBe('digest of an error')
  const cacheScope = { phase: 'cache', tags: new Set() } as unknown as CacheScope
  expect(runInScope(cacheScope, currentRequest)).toBeNull()
})

test('cache tags are added to the cached function, or otherwise to the page', () => {
  expect(addCacheTags(['outside'])).toBe(false)
  const life = createDependencyTracker()
  expect(runInScope(scopeOf('', life), () => addCacheTags(['of the page']))).toBe(true)
  expect([...life.tags]).toEqual(['of the page'])
  const cacheScope = { phase: 'cache', tags: new Set<string>() } as unknown as CacheScope
  expect(runInScope(cacheScope, () => addCacheTags(['of the function']))).toBe(true)
  expect([...cacheScope.tags]).toEqual(['of the function'])
  const request = requestOf('')
  const url = { pathname: '/', search: '' }
  const withoutLife = createScope({ request, url, phase: 'render', onAfterError: () => '' })
  expect(runInScope(withoutLife, () => addCacheTags(['of nobody']))).toBe(false)
})

test('a followed page collects tags, and has a sender once it depends on its request', () => {
  const scope = scopeOf('session=ada')
  const page = createFollowedPage(scope, [{ module: { live: true } }])
  expect(page).toMatchObject({ pathname: '/notes', modules: [{ live: true }] })
  page.addTags(['notes'])
  scope.context.life?.add({ tags: ['user'], revalidateSeconds: null, expireSeconds: null }, true)
  expect([...page.tags()]).toEqual(['notes', 'user'])
  expect(page.isStale()).toBe(true)
  expect(page.pathTags()).toContain('waymark:page:/notes')
  expect(page.sender()).toBeNull()
  scope.usage.reason = 'cookies()'
  expect(page.sender()).toMatchObject({ target: '/notes?page=2', setCookies: [] })
})

test('senders are told apart by their credentials, with the cookies of the response', () => {
  const hashSender = createHashSender(createIsCredential([]))
  const hash = (cookie: string, setCookies: readonly string[] = []) =>
    hashSender({ ...requestOf(cookie), setCookies }, 'test')
  expect(hash('session=ada')).toBe(hash('session=ada; _ga=1'))
  expect(hash('session=ada')).not.toBe(hash('session=eve'))
  expect(hash('', ['session=ada; Path=/'])).toBe(hash('session=ada'))
  expect(hash('session=ada', ['session=; Max-Age=0'])).toBe(hash(''))
  expect(hashSender(requestOf('session=ada'), 'other')).not.toBe(hash('session=ada'))
})

test.each([
  ['ä', { kind: 'text', text: 'ä' }],
  ['x'.repeat(11), { kind: 'refused', status: 413 }],
  [new Uint8Array([0xff]), { kind: 'refused', status: 400 }],
])('a body is a text within limits, or a status: %j', async (body, expected) => {
  const request = toServerRequest(new Request('https://site.test/', { method: 'POST', body }))
  expect(await readText(request, { maxBytes: 10, withinMs: 1_000 })).toEqual(expected)
})

test('an error of a body is the mistake of the client', () => {
  expect(statusOfFailure(createBodyError('too large', 413), {})).toBe(400)
  expect(statusOfFailure(new TypeError('too large'), {})).toBe(500)
})

test.each([
  [() => notFound(), 404],
  [() => redirect('/login'), 307],
  [() => Promise.reject(new Error('failed')), null],
])('the status of a signal', async (run, status) => {
  const thrown = await Promise.resolve()
    .then(run)
    .catch((error: unknown) => error)
  expect(signalStatus(thrown)).toBe(status)
})

test('a page has a URL for its document and one for its data', () => {
  expect(pageUrls('/blog?tag=a b')).toEqual({
    document: '/blog?tag=a%20b',
    data: '/_waymark/data/blog.rsc?tag=a%20b',
  })
})
