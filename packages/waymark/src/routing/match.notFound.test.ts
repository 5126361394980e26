import { describe, expect, test } from 'vitest'
import { createMatcher } from './match.ts'
import { buildRouteTree } from './testing/buildRouteTree.ts'
import { matchedKeysOf, outlineOf } from './testing/outline.ts'

const notFoundOf = (pathname: string, ...files: string[]) =>
  createMatcher(buildRouteTree(files)).matchNotFound(pathname)

describe('an unmatched URL', () => {
  test('shows the root not-found in the root layout, even if folders match its first segments', () => {
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

  test('shows the built-in screen if the app has no not-found file', () => {
    expect(outlineOf(notFoundOf('/x', 'layout.tsx', 'page.tsx'))).toBe('built-in')
  })

  test("shows the defaults of the root layout's slots", () => {
    const files = ['layout.tsx', 'page.tsx', '@m/default.tsx', '@m/[...all]/page.tsx']
    expect(outlineOf(notFoundOf('/x/y', ...files))).toEqual({
      children: 'built-in',
      m: '@m/default.tsx',
    })
  })

  test('has no layout if the app has none', () => {
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

  test('takes the one whose routes share the longest part of the URL', () => {
    expect(outlineOf(notFoundOf('/cart/x', ...files))).toBe('(shop)/not-found.tsx')
    expect(matchedKeysOf(notFoundOf('/docs/x', ...files))).toContain('/(docs)')
  })

  test('takes the first one if no route shares a part of the URL', () => {
    expect(matchedKeysOf(notFoundOf('/other', ...files))).toContain('/(docs)')
  })

  test('takes the value of a param from the URL', () => {
    const byLanguage = ['[lang]/layout.tsx', '[lang]/page.tsx', '[lang]/not-found.tsx']
    expect(matchedKeysOf(notFoundOf('/de/x', ...byLanguage))).toEqual([
      '/',
      '/[lang]:lang=de',
      '/[lang]:lang=de#not-found',
    ])
  })

  test("doesn't take one whose param is missing in the URL", () => {
    const byLanguage = ['x/[lang]/layout.tsx', 'x/[lang]/page.tsx']
    expect(matchedKeysOf(notFoundOf('/x', ...byLanguage))).toEqual(['/', '/#not-found'])
  })
})
