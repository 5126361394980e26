import { describe, expect, test } from 'vitest'
import { createMatcher } from './match.ts'
import type { MatchedSegment } from './matchedSegments.ts'
import { buildRouteTree } from './testing/buildRouteTree.ts'
import { matchedKeysOf } from './testing/outline.ts'

const matcherOf = (...files: string[]) => createMatcher(buildRouteTree(['layout.tsx', ...files]))

const pages = matcherOf(
  'page.tsx',
  'about/page.tsx',
  '(shop)/products/[id]/page.tsx',
  '(shop)/products/[id]/reviews/page.tsx',
  'products/new/page.tsx',
  'docs/[...path]/page.tsx',
  'docs/api/page.tsx',
  'docs/api/[name]/page.tsx',
  'wiki/[[...path]]/page.tsx',
  'wiki/edit/[id]/page.tsx',
  'api/items/route.ts',
  'café/page.tsx',
  'a b/page.tsx',
  '%5Bid%5D/page.tsx',
  '[lang]/page.tsx',
  '[lang]/about/team/page.tsx',
  '%5F_proto__/page.tsx',
  'constructor/[toString]/page.tsx',
)

describe('the most specific route matches a pathname', () => {
  test.each<[string, string, Record<string, unknown>]>([
    ['/', '/', {}],
    ['/about', '/about', {}],
    ['/products/7', '/products/[id]', { id: '7' }],
    ['/products/new', '/products/new', {}],
    ['/products/new/reviews', '/products/[id]/reviews', { id: 'new' }],
    ['/docs/a', '/docs/[...path]', { path: ['a'] }],
    ['/docs/a/b/c', '/docs/[...path]', { path: ['a', 'b', 'c'] }],
    ['/docs/api', '/docs/api', {}],
    ['/docs/api/x', '/docs/api/[name]', { name: 'x' }],
    ['/docs/api/x/y', '/docs/[...path]', { path: ['api', 'x', 'y'] }],
    ['/wiki', '/wiki/[[...path]]', {}],
    ['/wiki/a/b', '/wiki/[[...path]]', { path: ['a', 'b'] }],
    ['/wiki/edit/3', '/wiki/edit/[id]', { id: '3' }],
    ['/wiki/edit', '/wiki/[[...path]]', { path: ['edit'] }],
    ['/api/items', '/api/items', {}],
    ['/caf%C3%A9', '/café', {}],
    ['/a%20b', '/a b', {}],
    ['/%5Bid%5D', '/%5Bid%5D', {}],
    ['/de', '/[lang]', { lang: 'de' }],
    ['/about/about/team', '/[lang]/about/team', { lang: 'about' }],
    ['/__proto__', '/__proto__', {}],
    ['/constructor', '/[lang]', { lang: 'constructor' }],
    ['/constructor/__proto__', '/constructor/[toString]', { toString: '__proto__' }],
  ])('%s is %s', (pathname, pattern, params) => {
    const match = pages.match(pathname)
    expect(match?.pattern).toBe(pattern)
    expect({ ...match?.params }).toEqual(params)
  })

  test.each(['/de/about', '/products/7/x', '/about/x', '/a/b/c/d', '/ABOUT/x'])(
    '%s matches no route',
    (pathname) => {
      expect(pages.match(pathname)).toBeNull()
    },
  )

  test('a match tells pages from route handlers', () => {
    expect(pages.match('/about')).toMatchObject({ leaf: 'page', file: 'about/page.tsx' })
    expect(pages.match('/api/items')).toMatchObject({ leaf: 'route', file: 'api/items/route.ts' })
    expect(pages.match('/api/items')?.root).toMatchObject({
      slots: { children: { slots: { children: { slots: { children: { kind: 'route' } } } } } },
    })
  })

  test('matching is case-sensitive', () => {
    expect(pages.match('/About')?.pattern).toBe('/[lang]')
  })
})

describe('a pathname that is not canonical', () => {
  test.each([
    '',
    'about',
    '//',
    '/about/',
    '//about',
    '/%',
    '/%ff',
    '/a%2',
    '/docs/%zz',
    '/.',
    '/..',
    '/docs/../x',
    '/%2e%2e',
    '/a%2fb',
    '/a\\b',
    '/%00',
    '/%252f',
  ])('%j matches nothing, without a throw', (pathname) => {
    expect(pages.match(pathname)).toBeNull()
    expect(pages.match('/about', { from: pathname })?.pattern).toBe('/about')
    expect(pages.matchNotFound(pathname).kind).toBe('folder')
  })
})

describe('params', () => {
  test('are decoded once', () => {
    expect(pages.match('/products/%2541')?.params).toEqual({ id: '%41' })
    expect(pages.match('/docs/a%20b/100%25')?.params).toEqual({ path: ['a b', '100%'] })
  })

  test("can't change a prototype, whatever their values are", () => {
    const match = pages.match('/constructor/__proto__')
    expect(Object.getPrototypeOf(match?.params)).toBe(Object.prototype)
    expect(Object.keys(match?.params ?? {})).toEqual(['toString'])
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })

  test('are available in their folder and below it', () => {
    const matcher = matcherOf('[org]/layout.tsx', '[org]/x/[repo]/page.tsx')
    const seenParams: unknown[] = []
    let at: MatchedSegment | undefined = matcher.match('/ann/x/one')?.root
    while (at) {
      seenParams.push(at.params)
      at = at.kind === 'folder' ? at.slots.children : undefined
    }
    const org = { org: 'ann' }
    const both = { org: 'ann', repo: 'one' }
    expect(seenParams).toEqual([{}, org, org, both, both])
  })
})

describe('segment keys', () => {
  test('contain the folder and the params down to it', () => {
    expect(matchedKeysOf(pages.match('/products/7')?.root)).toEqual([
      '/',
      '/(shop)',
      '/(shop)/products',
      '/(shop)/products/[id]:id=7',
      '/(shop)/products/[id]:id=7#page',
    ])
    expect(matchedKeysOf(pages.match('/docs/a/b')?.root).at(-1)).toBe(
      '/docs/[...path]:path=a/b#page',
    )
    expect(matchedKeysOf(pages.match('/wiki')?.root).at(-1)).toBe('/wiki/[[...path]]:path=#page')
  })

  test('are equal only if a layout can stay mounted', () => {
    const one = matchedKeysOf(pages.match('/products/7')?.root)
    const reviews = matchedKeysOf(pages.match('/products/7/reviews')?.root)
    const other = matchedKeysOf(pages.match('/products/8')?.root)
    expect(reviews.slice(0, 4)).toEqual(one.slice(0, 4))
    expect(other.slice(0, 3)).toEqual(one.slice(0, 3))
    expect(other[3]).not.toBe(one[3])
  })

  test('are unique for any values and can be sent in a comma-separated header', () => {
    const matcher = matcherOf('[a]/[b]/page.tsx', 'x/[...all]/page.tsx')
    const paths = [
      '/1/2',
      '/1:b=2/3',
      '/1/2%2C3',
      '/%7C/x',
      '/%C3%A9/%23page',
      '/x/a/b',
      '/x/a%3Ab',
    ]
    const keys = paths.map((path) => matchedKeysOf(matcher.match(path)?.root).at(-1) ?? '')
    expect(new Set(keys).size).toBe(paths.length)
    for (const key of keys) expect(key).toMatch(/^[\x21-\x2b\x2d-\x7e]+$/)
  })
})
