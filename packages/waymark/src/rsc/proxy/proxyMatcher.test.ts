import { describe, expect, test } from 'vitest'
import { compileMatcher } from './proxyMatcher.ts'

describe('a matcher', () => {
  test.each<[unknown, string[], string[]]>([
    [undefined, ['/', '/a/b'], []],
    [[], [], ['/', '/a']],
    ['/', ['/'], ['/a']],
    ['/about', ['/about'], ['/', '/about/us', '/about2', '/x/about', '/About']],
    ['/about/', ['/about'], ['/about/us']],
    ['/about/:path', ['/about/a', '/about/a%20b'], ['/about', '/about/a/b']],
    ['/about/:path*', ['/about', '/about/a', '/about/a/b/c'], ['/aboutus', '/x/about']],
    ['/about/:path+', ['/about/a', '/about/a/b'], ['/about']],
    ['/about/:path?', ['/about', '/about/a'], ['/about/a/b']],
    ['/:path*', ['/', '/a', '/a/b'], []],
    ['/:path+', ['/a', '/a/b'], ['/']],
    ['/:lang/docs/:page', ['/en/docs/a'], ['/docs/a', '/en/docs']],
    ['/:lang?/docs', ['/docs', '/en/docs'], ['/en/x/docs']],
    ['/:lang(de|en)/:path*', ['/de', '/en/a/b'], ['/fr', '/deu', '/']],
    ['/post-:id(\\d+)', ['/post-12'], ['/post-', '/post-a', '/post-12/a']],
    ['/:id([1-3])*', ['/', '/1', '/1/2'], ['/a', '/12']],
    ['/file.:ext', ['/file.txt'], ['/file', '/fileXtxt']],
    ['/a.b', ['/a.b'], ['/axb']],
    ['/a\\:b', ['/a:b'], ['/a']],
    ['/(.*)', ['/', '/a', '/a/b'], []],
    ['/((?!api|assets).*)', ['/', '/a', '/a/api'], ['/api', '/api/x', '/assets/a']],
    ['/((?!api/|.*\\..*).*)', ['/', '/api', '/a'], ['/api/x', '/a.png', '/x/a.png']],
    ['/((?!.*\\.png$).*)', ['/a'], ['/a.png', '/b/a.png']],
    ['/a{/b}?', ['/a', '/a/b'], ['/b']],
    ['/a{/%C3%BCber}?', ['/a', '/a/%C3%BCber'], ['/a/uber']],
    ['/über', ['/%C3%BCber'], ['/uber']],
    ['/%C3%BCber', ['/%C3%BCber'], []],
    [
      ['/a', { source: '/b/:x' }],
      ['/a', '/b/1'],
      ['/b', '/c'],
    ],
  ])('%j', (matcher, matched, others) => {
    const isMatched = compileMatcher(matcher)
    expect(matched.filter((pathname) => !isMatched(pathname))).toEqual([])
    expect(others.filter(isMatched)).toEqual([])
  })

  test.each([
    ['/admin', '/%61dmin'],
    ['/admin/:path*', '/admin/%E2%80%A8'],
    ['/((?!api).*)', '/admin%E2%80%A8x'],
    ['/admin/:path*', '/admin/%'],
    ['/admin/:path*', '/admin/%3Fx/%23'],
  ])('%s can not be bypassed by %s', (matcher, pathname) => {
    expect(compileMatcher(matcher)(pathname)).toBe(true)
  })

  test.each<[unknown, RegExp]>([
    ['about', /does not begin with a slash/],
    ['', /does not begin with a slash/],
    ['/a*', /Unexpected MODIFIER at 2/],
    ['/:', /Missing parameter name/],
    ['/(a', /Unbalanced pattern/],
    ['/()', /Missing pattern/],
    ['/(?!api)', /Pattern cannot start with "\?"/],
    ['/post-:id*', /Can not repeat "id"/],
    ['/(.*)*', /can't contain a repeated part/],
    ['/:a(\\w+)+', /can't contain a repeated part/],
    ['/(a|[b)', /Invalid regular expression/],
    ['/(a**)', /Invalid regular expression/],
    [1, /it is not a path/],
    [null, /it is not a path/],
    [[{}], /it has no source/],
    [[{ source: '/a', missing: [] }], /it has missing, but only source is supported/],
  ])('%j is refused', (matcher, message) => {
    expect(() => compileMatcher(matcher)).toThrow(message)
    expect(() => compileMatcher(matcher)).toThrow(/PROXY_MATCHER/)
  })

  test('takes time in proportion to the path', () => {
    const isMatched = compileMatcher(['/:a*/x', '/:a+/:b*/x', '/:a?/:b?/:c?/x'])
    const startMs = performance.now()
    expect(isMatched(`${'/a'.repeat(2000)}/y`)).toBe(false)
    expect(performance.now() - startMs).toBeLessThan(1000)
  })
})
