import { describe, expect, test } from 'vitest'
import { createMatcher } from './match.ts'
import { listRoutes, manifestHref } from './routeEntries.ts'
import { metadataFileKind } from './routeFile.ts'
import { checkRouteFiles } from './routeTree.ts'
import { buildRouteTree } from './testing/buildRouteTree.ts'

describe('a metadata file', () => {
  test.each([
    ['sitemap.ts', 'sitemap'],
    ['shop/sitemap.js', 'sitemap'],
    ['robots.ts', 'robots'],
    ['manifest.js', 'manifest'],
    ['robots.txt', 'robots'],
    ['shop/sitemap.xml', 'sitemap'],
    ['manifest.json', 'manifest'],
    ['manifest.webmanifest', 'manifest'],
    ['sitemap.txt', null],
    ['my-robots.txt', null],
    ['sitemap.tsx', null],
    ['sitemap.test.ts', null],
    ['robots.d.ts', null],
    ['my-sitemap.ts', null],
    ['shop/page.tsx', null],
  ])('%s: %s', (path, kind) => {
    expect(metadataFileKind(path)).toBe(kind)
  })

  test.each([
    ['sitemap.ts', '/sitemap.xml'],
    ['shop/(sale)/sitemap.js', '/shop/sitemap.xml'],
    ['[locale]/sitemap.ts', '/[locale]/sitemap.xml'],
    ['robots.ts', '/robots.txt'],
    ['manifest.js', '/manifest.webmanifest'],
    ['robots.txt', '/robots.txt'],
    ['[locale]/sitemap.xml', '/[locale]/sitemap.xml'],
    ['manifest.json', '/manifest.json'],
  ])('%s is the route handler of %s', (file, pattern) => {
    expect(listRoutes(buildRouteTree([file]))).toEqual([{ pattern, kind: 'route', file }])
  })

  test('with several sitemaps has a URL for each', () => {
    const several = new Set(['shop/sitemap.ts'])
    const tree = buildRouteTree(['sitemap.ts', 'shop/sitemap.ts'], several)
    expect(listRoutes(tree).map(({ pattern }) => pattern)).toEqual([
      '/shop/sitemap/[__file]',
      '/sitemap.xml',
    ])
  })

  test("wins over a catch-all page without hiding that page's other URLs", () => {
    const tree = buildRouteTree(['layout.tsx', '[[...all]]/page.tsx', 'sitemap.ts'])
    const { match } = createMatcher(tree)
    expect(match('/sitemap.xml')?.file).toBe('sitemap.ts')
    expect(match('/sitemap.ts')?.file).toBe('[[...all]]/page.tsx')
    expect(match('/')?.file).toBe('[[...all]]/page.tsx')
  })

  test('in a private folder is ignored', () => {
    expect(listRoutes(buildRouteTree(['_lib/robots.ts', 'a/_lib/sitemap.ts']))).toEqual([])
  })

  test.each([
    ['shop/robots.ts', 'a robots file'],
    ['shop/robots.txt', 'a robots file'],
    ['(site)/manifest.ts', 'a manifest file'],
    ['shop/favicon.ico', 'a favicon file'],
  ])('%s is ignored with a warning', (file, text) => {
    const { tree, errors, warnings } = checkRouteFiles(['layout.tsx', 'page.tsx', file])
    expect(errors).toEqual([])
    expect(warnings.map(({ code }) => code)).toEqual(['METADATA_FILE_PLACE'])
    expect(warnings[0]?.message).toContain(`app/${file} is ignored, because ${text}`)
    expect(listRoutes(tree).map(({ pattern }) => pattern)).toEqual(['/'])
  })
})

test('the manifest has a URL if the app has a manifest file', () => {
  expect(manifestHref(buildRouteTree(['manifest.ts']))).toBe('/manifest.webmanifest')
  expect(manifestHref(buildRouteTree(['manifest.webmanifest/route.ts', 'sitemap.ts']))).toBeNull()
})
