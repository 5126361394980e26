import { describe, expect, test } from 'vitest'
import { parseTarget, segmentProblem } from './canonicalUrl.ts'
import { type HrefParts, hrefOf, pathnameOf } from './href.ts'
import { createMatcher } from './match.ts'
import type { Params } from './matchedSegments.ts'
import { buildRouteTree } from './testing/buildRouteTree.ts'
import { createRandom } from './testing/random.ts'

describe('a URL built from parts', () => {
  test.each<[HrefParts, string]>([
    [{ pathname: '/' }, '/'],
    [{ pathname: '/about' }, '/about'],
    [{ pathname: '/about/' }, '/about'],
    [{ pathname: '//evil.example' }, '/evil.example'],
    [{ pathname: '/a b/café' }, '/a%20b/caf%C3%A9'],
    [{ pathname: '/a%20b' }, '/a%20b'],
    [{ pathname: '/100%' }, '/100%25'],
    [{ pathname: '/what?' }, '/what%3F'],
    [{ pathname: '/%5Bid%5D' }, '/%5Bid%5D'],
    [{ pathname: '/(a)/@b' }, '/(a)/@b'],
    [{ pathname: '/blog/[slug]', params: { slug: 'a/b'.replace('/', ' ') } }, '/blog/a%20b'],
    [{ pathname: '/blog/[id]', params: { id: 7 } }, '/blog/7'],
    [{ pathname: '/blog/[id]', params: { id: '100%' } }, '/blog/100%25'],
    [{ pathname: '/docs/[...path]', params: { path: ['a', 'b?'] } }, '/docs/a/b%3F'],
    [{ pathname: '/docs/[...path]', params: { path: 'a' } }, '/docs/a'],
    [{ pathname: '/wiki/[[...path]]', params: { path: ['a', 2] } }, '/wiki/a/2'],
    [{ pathname: '/wiki/[[...path]]', params: { path: [] } }, '/wiki'],
    [{ pathname: '/wiki/[[...path]]' }, '/wiki'],
    [{ pathname: '/a', params: { unused: 'x' } }, '/a'],
    [{ pathname: '/a', query: { q: 'x y', n: 1, ok: true } }, '/a?q=x+y&n=1&ok=true'],
    [{ pathname: '/a', query: { tag: ['x', 'y'] } }, '/a?tag=x&tag=y'],
    [{ pathname: '/a', query: { a: null, b: undefined, c: '' } }, '/a?c='],
    [{ pathname: '/a', query: {} }, '/a'],
    [{ pathname: '/a', query: new URLSearchParams('x=1&x=2') }, '/a?x=1&x=2'],
    [{ query: { page: 2 } }, '?page=2'],
    [{ hash: 'top' }, '#top'],
    [{ pathname: '/a', hash: '#b#c d' }, '/a#b%23c%20d'],
    [{ pathname: '/a', hash: '' }, '/a'],
    [{ pathname: '/a', query: { q: '#&=' }, hash: 'é\ud800' }, '/a?q=%23%26%3D#%C3%A9%EF%BF%BD'],
  ])('%j is %s', (parts, href) => {
    expect(hrefOf(parts)).toBe(href)
  })
})

describe('a URL that no route can match is refused', () => {
  test.each<[string, HrefParts['params'], RegExp]>([
    ['/blog/[slug]', {}, /param slug of \/blog\/\[slug\] can't be undefined: the segment needs/],
    ['/blog/[slug]', undefined, /PARAM_VALUE/],
    ['/blog/[slug]', { slug: 'a/b' }, /can't be a\/b: it contains a slash/],
    ['/blog/[slug]', { slug: 'a\\b' }, /PARAM_VALUE/],
    ['/blog/[slug]', { slug: '' }, /PARAM_VALUE/],
    ['/blog/[slug]', { slug: '.' }, /PARAM_VALUE/],
    ['/blog/[slug]', { slug: '..' }, /PARAM_VALUE/],
    ['/blog/[slug]', { slug: '%2F' }, /PARAM_VALUE/],
    ['/blog/[slug]', { slug: 'a\nb' }, /PARAM_VALUE/],
    ['/blog/[slug]', { slug: '\ud800' }, /PARAM_VALUE/],
    ['/blog/[slug]', { slug: ['a'] }, /one value, not a list/],
    ['/blog/[toString]', {}, /param toString/],
    ['/docs/[...path]', { path: [] }, /needs a value/],
    ['/docs/[...path]', { path: ['a', ''] }, /PARAM_VALUE/],
    ['/wiki/[[...path]]', { path: ['..'] }, /PARAM_VALUE/],
    ['/a/../b', {}, /HREF_PATHNAME/],
    ['/a/%2e%2e/b', {}, /HREF_PATHNAME/],
    ['/a\\b', {}, /HREF_PATHNAME/],
    ['a', {}, /HREF_PATHNAME/],
    ['', {}, /HREF_PATHNAME/],
    ['https://evil.example/', {}, /HREF_PATHNAME/],
    ['javascript:alert(1)', {}, /HREF_PATHNAME/],
    ['/[broken', {}, /SEGMENT_NAME/],
  ])('%s with %j', (pathname, params, message) => {
    expect(() => hrefOf({ pathname, params })).toThrow(message)
  })
})

describe('round trip', () => {
  const patterns = {
    '/one/[a]': ['a'],
    '/two/[a]/x/[b]': ['a', 'b'],
    '/rest/[a]/[...all]': ['a', 'all'],
    '/some/[[...all]]': ['all'],
    '/%5Bit%5D/é/[größe]': ['größe'],
  }
  const files = Object.keys(patterns).map((pattern) => `${pattern.slice(1)}/page.tsx`)
  const matcher = createMatcher(buildRouteTree(['layout.tsx', ...files]))
  const random = createRandom(42)

  function segmentText(): string {
    for (;;) {
      const text = random.text(8)
      if (segmentProblem(text) === null) return text
    }
  }

  function valuesFor(names: readonly string[], pattern: string): Params {
    const entries = names.flatMap((name): [string, string | string[]][] => {
      if (name !== 'all') return [[name, segmentText()]]
      const least = pattern.includes('[[') ? 0 : 1
      const list = Array.from({ length: least + random.below(4) }, segmentText)
      return list.length === 0 ? [] : [[name, list]]
    })
    return Object.fromEntries(entries)
  }

  test('a URL built from any params matches its pattern with the same params', () => {
    for (let run = 0; run < 5000; run++) {
      const pattern = random.pick(Object.keys(patterns)) as keyof typeof patterns
      const params = valuesFor(patterns[pattern], pattern)
      const pathname = pathnameOf(pattern, params)
      const match = matcher.match(pathname)
      expect(match?.pattern).toBe(pattern)
      expect(match?.params).toEqual(params)
      expect(parseTarget(pathname)).toEqual({ kind: 'ok', pathname, search: '' })
      expect(new URL(pathname, 'http://here.example').pathname).toBe(pathname)
    }
  })
})
