import { describe, expect, test } from 'vitest'
import { createMatcher } from './match.ts'
import { buildRouteTree } from './testing/buildRouteTree.ts'
import { matchedKeysOf, outlineOf } from './testing/outline.ts'

const notFoundOf = (pathname: string, ...files: string[]) =>
  createMatcher(buildRouteTree(files)).matchNotFound(pathname)

describe('an unmatched URL', () => {
  test('shows the root not-found in the root layout, however deep the URL is known', () => {
    const root = notFoundOf(
      '/blog/x/y',
      'layout.tsx',
      'not-found.tsx',
      'blog/layout.tsx',
      'blog/not-found.tsx',
      'blog/page.tsx',
    )
    expect(matchedKeysOf(root)).toEqual(['/', '/#not-found'])
    expect(outlineOf(root)).toBe('not-found.tsx')
  })

  test('shows the global not-found, without any layout', () => {
    const root = notFoundOf(
      '/blog/x',
      'layout.tsx',
      'page.tsx',
      'not-found.tsx',
      'global-not-found.tsx',
    )
    expect(matchedKeysOf(root)).toEqual(['#global-not-found'])
    expect(outlineOf(root)).toBe('global-not-found.tsx')
  })

  test('shows the built-in screen when there is no not-found', () => {
    expect(outlineOf(notFoundOf('/x', 'layout.tsx', 'page.tsx'))).toBe('built-in')
  })

  test('gives the slots of the root layout their defaults', () => {
    const files = ['layout.tsx', 'page.tsx', '@m/default.tsx', '@m/[...all]/page.tsx']
    expect(outlineOf(notFoundOf('/x/y', ...files))).toEqual({
      children: 'built-in',
      m: '@m/default.tsx',
    })
  })

  test('has no layout when the app has none', () => {
    expect(matchedKeysOf(notFoundOf('/x', 'api/route.ts'))).toEqual(['/', '/#not-found'])
  })
})

describe('of several root layouts', () => {
  const files = [
    'not-found.tsx',
    '(docs)/layout.tsx',
    '(docs)/docs/a/page.tsx',
    '(shop)/layout.tsx',
    '(shop)/not-found.tsx',
    '(shop)/cart/page.tsx',
  ]

  test('that of the routes which share most of the URL is taken', () => {
    expect(outlineOf(notFoundOf('/cart/x', ...files))).toBe('(shop)/not-found.tsx')
    expect(matchedKeysOf(notFoundOf('/docs/x', ...files))).toContain('/(docs)')
  })

  test('else the first', () => {
    expect(matchedKeysOf(notFoundOf('/other', ...files))).toContain('/(docs)')
  })

  test('one with a param gets its value from the URL', () => {
    const byLanguage = ['[lang]/layout.tsx', '[lang]/page.tsx', '[lang]/not-found.tsx']
    expect(matchedKeysOf(notFoundOf('/de/x', ...byLanguage))).toEqual([
      '/',
      '/[lang]:lang=de',
      '/[lang]:lang=de#not-found',
    ])
  })

  test('one whose param the URL does not have is not taken', () => {
    const byLanguage = ['x/[lang]/layout.tsx', 'x/[lang]/page.tsx']
    expect(matchedKeysOf(notFoundOf('/x', ...byLanguage))).toEqual(['/', '/#not-found'])
  })
})
