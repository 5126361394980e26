import { describe, expect, test } from 'vitest'
import { createMatcher } from './match.ts'
import { buildRouteTree } from './testing/buildRouteTree.ts'
import { type Outline, outlineOf } from './testing/outline.ts'

const matcherOf = (...files: string[]) => createMatcher(buildRouteTree(['layout.tsx', ...files]))

const board = matcherOf(
  'page.tsx',
  'default.tsx',
  'settings/page.tsx',
  'users/[id]/page.tsx',
  '@team/page.tsx',
  '@team/default.tsx',
  '@team/(people)/users/[name]/page.tsx',
  '@team/only/here/page.tsx',
  '@stats/default.tsx',
  '@stats/[...all]/page.tsx',
)

describe('each slot of a folder', () => {
  test.each<[string, Outline]>([
    ['/', { children: 'page.tsx', stats: '@stats/default.tsx', team: '@team/page.tsx' }],
    [
      '/settings',
      {
        children: 'settings/page.tsx',
        stats: '@stats/[...all]/page.tsx',
        team: '@team/default.tsx',
      },
    ],
    [
      '/users/7',
      {
        children: 'users/[id]/page.tsx',
        stats: '@stats/[...all]/page.tsx',
        team: '@team/(people)/users/[name]/page.tsx',
      },
    ],
    [
      '/only/here',
      {
        children: 'default.tsx',
        stats: '@stats/[...all]/page.tsx',
        team: '@team/only/here/page.tsx',
      },
    ],
  ])('is matched by itself at %s', (pathname, outline) => {
    const match = board.match(pathname)
    expect(match && outlineOf(match.root)).toEqual(outline)
  })

  test('has the params of its own folders', () => {
    const match = board.match('/users/7')
    expect(match?.params).toEqual({ id: '7' })
    expect(match?.root).toMatchObject({
      slots: {
        team: {
          slots: {
            children: { slots: { children: { slots: { children: { params: { name: '7' } } } } } },
          },
        },
      },
    })
  })

  test('is the route, with its pattern and file, if only it matches', () => {
    expect(board.match('/only/here')).toMatchObject({
      pattern: '/only/here',
      leaf: 'page',
      file: '@team/only/here/page.tsx',
    })
  })

  test("doesn't match a URL by a rest segment alone", () => {
    expect(board.match('/nothing/like/it')).toBeNull()
  })

  test("doesn't match a URL alone if its folder has no default", () => {
    const matcher = matcherOf('page.tsx', '@s/page.tsx', '@s/default.tsx', '@s/[id]/page.tsx')
    expect(matcher.match('/7')).toBeNull()
  })
})

describe('a slot with neither a page nor a default', () => {
  const matcher = matcherOf('page.tsx', 'x/page.tsx', '@m/(.)x/page.tsx', '@m/y/page.tsx')

  test('is empty, but part of the layout', () => {
    const match = matcher.match('/')
    expect(match && outlineOf(match.root)).toEqual({ children: 'page.tsx', m: 'built-in' })
    expect(match?.root).toMatchObject({ slots: { m: { kind: 'default', page: null } } })
    expect(matcher.matchNotFound('/nowhere')).toMatchObject({ slots: { m: { kind: 'default' } } })
  })

  test('is filled by an interception', () => {
    const match = matcher.match('/x', { from: '/' })
    expect(match && outlineOf(match.root)).toEqual({
      children: '<page.tsx>',
      m: '@m/(.)x/page.tsx',
    })
  })
})

describe('a page that exists only in a slot, without a default in the main slot', () => {
  const desk = matcherOf(
    'page.tsx',
    'a/layout.tsx',
    'a/plain/page.tsx',
    'a/@side/default.tsx',
    'a/@side/(group)/[id]/page.tsx',
    'a/@other/default.tsx',
    'a/@other/both/page.tsx',
  )

  test('is shown by navigations from a page of the same layout', () => {
    const match = desk.match('/a/7', { from: '/a/plain' })
    expect(match).toMatchObject({ pattern: '/a/[id]', params: { id: '7' }, interceptedFrom: true })
    expect(match && outlineOf(match.root)).toEqual({
      children: '<a/plain/page.tsx>',
      side: 'a/@side/(group)/[id]/page.tsx',
      other: '<a/@other/default.tsx>',
    })
  })

  test('is shown in each slot that has a page for the URL', () => {
    const match = desk.match('/a/both', { from: '/a/plain' })
    expect(match && outlineOf(match.root)).toEqual({
      children: '<a/plain/page.tsx>',
      side: 'a/@side/(group)/[id]/page.tsx',
      other: 'a/@other/both/page.tsx',
    })
  })

  test("isn't shown for a document, another navigation, or a URL that has its own page", () => {
    expect(desk.match('/a/7')).toBeNull()
    expect(desk.match('/a/7', { from: '/' })).toBeNull()
    expect(desk.match('/a/plain', { from: '/a/7' })).toMatchObject({ interceptedFrom: false })
    const twice = matcherOf(
      'page.tsx',
      'b/page.tsx',
      'a/page.tsx',
      '@side/default.tsx',
      '@side/b/page.tsx',
    )
    expect(twice.match('/b', { from: '/a' })).toMatchObject({ interceptedFrom: false })
  })
})

test('a slot of a deeper folder is matched against the rest of the URL', () => {
  const matcher = matcherOf(
    '[org]/layout.tsx',
    '[org]/page.tsx',
    '[org]/repos/[repo]/page.tsx',
    '[org]/@side/page.tsx',
    '[org]/@side/repos/[repo]/page.tsx',
  )
  const match = matcher.match('/ann/repos/one')
  expect(match && outlineOf(match.root)).toEqual({
    children: '[org]/repos/[repo]/page.tsx',
    side: '[org]/@side/repos/[repo]/page.tsx',
  })
  expect(match?.root).toMatchObject({
    slots: {
      children: { slots: { side: { key: '/[org]/@side:org=ann', params: { org: 'ann' } } } },
    },
  })
})

test('a slot inside a rest segment shows its page', () => {
  const matcher = matcherOf('[...all]/page.tsx', '[...all]/layout.tsx', '[...all]/@side/page.tsx')
  const match = matcher.match('/a/b')
  expect(match && outlineOf(match.root)).toEqual({
    children: '[...all]/page.tsx',
    side: '[...all]/@side/page.tsx',
  })
})

test('slots can contain slots', () => {
  const matcher = matcherOf(
    'default.tsx',
    'page.tsx',
    '@a/default.tsx',
    '@a/layout.tsx',
    '@a/x/default.tsx',
    '@a/x/layout.tsx',
    '@a/x/@b/default.tsx',
    '@a/x/@b/y/page.tsx',
  )
  const match = matcher.match('/x/y')
  expect(match).toMatchObject({ pattern: '/x/y', file: '@a/x/@b/y/page.tsx' })
  expect(match && outlineOf(match.root)).toEqual({
    children: 'default.tsx',
    a: { children: '@a/x/default.tsx', b: '@a/x/@b/y/page.tsx' },
  })
})

test("a slot's key is its folder's, or that of its default if the slot has no page", () => {
  const keys = ['/', '/settings'].map((pathname) => {
    const root = board.match(pathname)?.root
    return root?.kind === 'folder' && root.slots.stats?.key
  })
  expect(keys).toEqual(['/@stats#default', '/@stats'])
})

describe('a route that consists only of slots', () => {
  const matcher = matcherOf(
    'o/layout.tsx',
    'o/@a/page.tsx',
    'o/@b/(group)/page.tsx',
    'o/@b/deeper/page.tsx',
  )

  test('shows the slots and leaves the main slot empty', () => {
    const match = matcher.match('/o')
    expect(match).toMatchObject({ pattern: '/o', leaf: 'page', file: 'o/@a/page.tsx' })
    expect(match?.root).toMatchObject({
      slots: { children: { slots: { children: { kind: 'default', page: null } } } },
    })
    expect(match && outlineOf(match.root)).toEqual({
      children: 'built-in',
      a: 'o/@a/page.tsx',
      b: 'o/@b/(group)/page.tsx',
    })
  })

  test('matches no other URLs', () => {
    expect(matcher.match('/o/deeper')).toBeNull()
    expect(matcher.match('/')).toBeNull()
  })

  test('is replaced by a page with the same URL', () => {
    const withPage = matcherOf('o/layout.tsx', 'o/(in)/page.tsx', 'o/@a/page.tsx')
    expect(withPage.match('/o')?.file).toBe('o/(in)/page.tsx')
  })
})

test('@children is a folder for the files of the main slot', () => {
  const matcher = matcherOf(
    'o/layout.tsx',
    'o/@children/page.tsx',
    'o/@children/x/page.tsx',
    'o/@children/default.tsx',
    'o/@a/default.tsx',
    'o/@a/only/page.tsx',
  )
  expect(matcher.match('/o')).toMatchObject({ pattern: '/o', file: 'o/@children/page.tsx' })
  expect(matcher.match('/o/x')?.file).toBe('o/@children/x/page.tsx')
  const alone = matcher.match('/o/only')
  expect(alone && outlineOf(alone.root)).toEqual({
    children: 'o/@children/default.tsx',
    a: 'o/@a/only/page.tsx',
  })
})
