import { describe, expect, test } from 'vitest'
import { connection, cookies, headers } from './api.ts'
import { advanceScope, type RequestPhase, responseHeaders, runInScope } from './scope.ts'
import { scopeOf, turn } from './testing/scopeOf.ts'

describe('outside a request', () => {
  test.each([
    ['headers()', headers],
    ['cookies()', cookies],
    ['connection()', connection],
  ])('%s throws', (name, run) => {
    expect(() => run()).toThrow(new RegExp(`^${name.replace('()', '\\(\\)')} was called outside`))
  })
})

describe('headers()', () => {
  const sent = { 'X-A': '1', cookie: 'a=1', accept: 'text/html' }
  const proxyHeaders = ['x-forwarded-host', 'x-forwarded-proto']

  test("leaves out the framework's headers", async () => {
    const internalHeaders = { 'Waymark-Held': '/', 'waymark-from': '/a', 'x-waymark-like': '1' }
    const read = await runInScope(scopeOf('render', internalHeaders), headers)
    expect([...read.keys()]).toEqual([...proxyHeaders, 'x-waymark-like'])
  })

  test('reads the headers that were sent', async () => {
    const read = await runInScope(scopeOf('render', sent), headers)
    expect(read.get('x-a')).toBe('1')
    expect(read.has('X-A')).toBe(true)
    expect([...read].map(([name]) => name)).toEqual(['accept', 'cookie', 'x-a', ...proxyHeaders])
    expect(new Headers(read).get('accept')).toBe('text/html')
  })

  test.each(['set', 'append', 'delete'])('%s is refused', async (method) => {
    const read = (await runInScope(scopeOf('action', sent), headers)) as Headers
    expect(() => read[method as 'set']('x-a', '2')).toThrow(/HEADERS_READ_ONLY/)
    expect(read.get('x-a')).toBe('1')
  })

  test('returns the same object within a request', async () => {
    await runInScope(scopeOf('render', sent), async () => {
      expect(await headers()).toBe(await headers())
    })
  })
})

describe('cookies()', () => {
  test.each<[RequestPhase, RegExp]>([
    ['render', /while a page renders/],
    ['after', /after the response was sent/],
  ])('refuses to set a cookie in phase %s', async (phase, message) => {
    const read = await runInScope(scopeOf(phase, { cookie: 'a=1' }), cookies)
    expect(read.get('a')?.value).toBe('1')
    expect(() => read.set('a', '2')).toThrow(message)
    expect(() => read.delete('a')).toThrow(/COOKIES_READ_ONLY/)
  })

  test.each<RequestPhase>(['action', 'route-handler', 'proxy'])(
    'sets a cookie in phase %s',
    async (phase) => {
      const scope = scopeOf(phase)
      const read = await runInScope(scope, cookies)
      read.set('a', '1')
      expect((await runInScope(scope, cookies)).get('a')?.value).toBe('1')
      expect(responseHeaders(scope)).toEqual([['set-cookie', 'a=1; Path=/; SameSite=Lax']])
    },
  )

  test('refuses a cookie that would be lost, and returns each line once', async () => {
    const scope = scopeOf('route-handler')
    const read = await runInScope(scope, cookies)
    read.set('a', '1')
    expect(responseHeaders(scope)).toHaveLength(1)
    expect(responseHeaders(scope)).toEqual([])
    expect(() => read.set('b', '1')).toThrow(/after the response has begun/)
  })
})

describe('after proxy.ts', () => {
  test('the changed request is read, and cookies that proxy.ts set stay', async () => {
    const scope = scopeOf('proxy', { cookie: 'a=1; b=1; c=1', 'x-a': '1' })
    await runInScope(scope, async () => {
      const set = await cookies()
      set.set('b', '2')
      set.delete('c')
      expect((await headers()).get('x-a')).toBe('1')
      const { request } = scopeOf('proxy', { cookie: 'b=3; c=3; d=3', 'x-a': '2' })
      advanceScope(scope, { request, url: { pathname: '/b', search: '' }, phase: 'render' })
      expect((await headers()).get('x-a')).toBe('2')
      expect(String(await cookies())).toBe('d=3; b=2')
      expect(() => set.set('e', '1')).toThrow(/while a page renders/)
    })
    expect(responseHeaders(scope).map(([, line]) => line.slice(0, 4))).toEqual(['b=2;', 'c=; '])
  })
})

describe('requests at the same time', () => {
  test('each see their own scope', async () => {
    const values = ['1', '2', '3']
    const read = values.map((value) =>
      runInScope(scopeOf('render', { 'x-a': value }), async () => {
        await turn()
        return (await headers()).get('x-a')
      }),
    )
    expect(await Promise.all(read)).toEqual(values)
  })
})
