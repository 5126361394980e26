import { describe, expect, test } from 'vitest'
import { createMatcher } from './match.ts'
import { buildRouteTree } from './testing/buildRouteTree.ts'
import { matchedKeysOf, type Outline, outlineOf } from './testing/outline.ts'

const matcherOf = (...files: string[]) => createMatcher(buildRouteTree(['layout.tsx', ...files]))

const gallery = matcherOf(
  'page.tsx',
  'about/page.tsx',
  'feed/layout.tsx',
  'feed/page.tsx',
  'feed/[tag]/page.tsx',
  'feed/@modal/default.tsx',
  'feed/@modal/(..)photo/[id]/page.tsx',
  'feed/@modal/(..)photo/[id]/layout.tsx',
  'feed/@other/default.tsx',
  'photo/[id]/page.tsx',
  'photo/new/page.tsx',
)

describe('an intercepting folder', () => {
  test('intercepts a navigation from its own folder and shows the page over the previous route', () => {
    const match = gallery.match('/photo/7', { from: '/feed/cats' })
    expect(match).toMatchObject({
      pattern: '/photo/[id]',
      params: { id: '7' },
      leaf: 'page',
      file: 'feed/@modal/(..)photo/[id]/page.tsx',
      interceptedFrom: true,
    })
    expect(match && outlineOf(match.root)).toEqual({
      children: '<feed/[tag]/page.tsx>',
      modal: 'feed/@modal/(..)photo/[id]/page.tsx',
      other: '<feed/@other/default.tsx>',
    })
  })

  test("doesn't change the keys of the background, so that it stays mounted", () => {
    const background = gallery.match('/feed/cats')
    const match = gallery.match('/photo/7', { from: '/feed/cats' })
    expect(matchedKeysOf(match?.root)).toEqual(matchedKeysOf(background?.root))
  })

  test.each<[string, string | undefined]>([
    ['without a navigation', undefined],
    ['from elsewhere', '/about'],
    ['from a path that only begins alike', '/feeds'],
    ['from an unknown path', '/feed/a/b/c'],
    ['from the page itself, which is a refresh', '/photo/7'],
  ])("doesn't intercept %s", (_name, from) => {
    const match = gallery.match('/photo/7', { from })
    expect(match).toMatchObject({ file: 'photo/[id]/page.tsx', interceptedFrom: false })
  })

  test("doesn't intercept a more specific page", () => {
    const match = gallery.match('/photo/new', { from: '/feed' })
    expect(match).toMatchObject({ file: 'photo/new/page.tsx', interceptedFrom: false })
  })

  test('marks the background page and the folders above it as background', () => {
    const root = gallery.match('/photo/7', { from: '/feed' })?.root
    expect(root).toMatchObject({
      background: true,
      slots: { children: { background: true, slots: { modal: { background: false } } } },
    })
    const plain = gallery.match('/photo/7')?.root
    expect(JSON.stringify(plain)).not.toContain('"background":true')
  })
})

describe('the levels of an interception', () => {
  test.each<[string, string[], string, string, Outline]>([
    [
      '(.) is the level of its folder',
      ['a/page.tsx', 'a/x/page.tsx', 'a/@m/default.tsx', 'a/@m/(.)x/page.tsx'],
      '/a/x',
      '/a',
      { children: '<a/page.tsx>', m: 'a/@m/(.)x/page.tsx' },
    ],
    [
      "a slot doesn't count as a level",
      ['page.tsx', 'x/page.tsx', '@m/default.tsx', '@m/(.)x/page.tsx'],
      '/x',
      '/',
      { children: '<page.tsx>', m: '@m/(.)x/page.tsx' },
    ],
    [
      "a group doesn't count as a level",
      [
        'a/(g)/b/page.tsx',
        'a/x/page.tsx',
        'a/(g)/b/@m/default.tsx',
        'a/(g)/b/@m/(h)/(..)x/page.tsx',
      ],
      '/a/x',
      '/a/b',
      { children: '<a/(g)/b/page.tsx>', m: 'a/(g)/b/@m/(h)/(..)x/page.tsx' },
    ],
    [
      '(..)(..) is two levels up',
      ['a/b/page.tsx', 'x/page.tsx', 'a/b/@m/default.tsx', 'a/b/@m/(..)(..)x/page.tsx'],
      '/x',
      '/a/b',
      { children: '<a/b/page.tsx>', m: 'a/b/@m/(..)(..)x/page.tsx' },
    ],
    [
      '(...) is the root',
      [
        'a/b/c/page.tsx',
        'x/[id]/page.tsx',
        'a/b/c/@m/default.tsx',
        'a/b/c/@m/(...)x/[id]/page.tsx',
      ],
      '/x/1',
      '/a/b/c',
      { children: '<a/b/c/page.tsx>', m: 'a/b/c/@m/(...)x/[id]/page.tsx' },
    ],
    [
      'a folder inside the slot counts as a level, and the navigation must start there',
      ['a/page.tsx', 'a/x/page.tsx', '@m/default.tsx', '@m/a/(.)x/page.tsx'],
      '/a/x',
      '/a',
      { children: '<a/page.tsx>', m: '@m/a/(.)x/page.tsx' },
    ],
    [
      'the main branch intercepts without a slot',
      ['feed/page.tsx', 'photo/[id]/page.tsx', 'feed/(..)photo/[id]/page.tsx'],
      '/photo/1',
      '/feed',
      'feed/(..)photo/[id]/page.tsx',
    ],
    [
      'the target may be dynamic',
      ['page.tsx', '[user]/page.tsx', '@m/default.tsx', '@m/(.)[user]/page.tsx'],
      '/ann',
      '/',
      { children: '<page.tsx>', m: '@m/(.)[user]/page.tsx' },
    ],
    [
      'two slots of one layout may both intercept',
      [
        'page.tsx',
        'x/page.tsx',
        '@a/default.tsx',
        '@b/default.tsx',
        '@a/(.)x/page.tsx',
        '@b/(.)x/page.tsx',
      ],
      '/x',
      '/',
      { children: '<page.tsx>', a: '@a/(.)x/page.tsx', b: '@b/(.)x/page.tsx' },
    ],
    [
      'the innermost layout takes precedence',
      [
        'a/page.tsx',
        'x/page.tsx',
        '@m/default.tsx',
        '@m/(.)x/page.tsx',
        'a/@n/default.tsx',
        'a/@n/(..)x/page.tsx',
      ],
      '/x',
      '/a',
      {
        children: { children: '<a/page.tsx>', n: 'a/@n/(..)x/page.tsx' },
        m: '<@m/default.tsx>',
      },
    ],
  ])('%s', (_name, files, pathname, from, outline) => {
    const match = matcherOf(...files).match(pathname, { from })
    expect(match?.interceptedFrom).toBe(true)
    expect(match && outlineOf(match.root)).toEqual(outline)
  })

  test("a folder inside the slot doesn't intercept a navigation from elsewhere", () => {
    const matcher = matcherOf(
      'page.tsx',
      'b/page.tsx',
      'a/x/page.tsx',
      '@m/default.tsx',
      '@m/a/(.)x/page.tsx',
    )
    expect(matcher.match('/a/x', { from: '/b' })?.interceptedFrom).toBe(false)
  })
})

describe('params above an interception', () => {
  const users = matcherOf(
    '[user]/page.tsx',
    '[user]/photo/[id]/page.tsx',
    '[user]/@modal/default.tsx',
    '[user]/@modal/(.)photo/[id]/page.tsx',
    'help/[topic]/page.tsx',
    '[user]/@modal/(...)help/[topic]/page.tsx',
  )

  test('must be equal in both URLs for an interception', () => {
    const same = users.match('/ann/photo/1', { from: '/ann' })
    expect(same).toMatchObject({ interceptedFrom: true, params: { user: 'ann', id: '1' } })
    expect(users.match('/ann/photo/1', { from: '/bob' })?.interceptedFrom).toBe(false)
  })

  test('come from the background if the target has none', () => {
    const match = users.match('/help/cats', { from: '/ann' })
    expect(match).toMatchObject({ interceptedFrom: true, params: { topic: 'cats' } })
    const keys = JSON.stringify(match?.root).match(/"key":"[^"]*page"/g)
    expect(keys).toContain('"key":"/[user]/@modal/(...)help/[topic]:user=ann:topic=cats#page"')
  })
})
