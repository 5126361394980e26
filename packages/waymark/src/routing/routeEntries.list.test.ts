import { expect, test } from 'vitest'
import { listRoutes } from './routeEntries.ts'
import { buildRouteTree } from './testing/buildRouteTree.ts'

test('routes are listed with the most specific first', () => {
  const tree = buildRouteTree([
    'layout.tsx',
    'page.tsx',
    'default.tsx',
    '[...all]/page.tsx',
    '[lang]/page.tsx',
    '(g)/blog/[slug]/page.mdx',
    '(g)/blog/new/page.tsx',
    'blog/page.tsx',
    'api/route.ts',
    '@m/default.tsx',
    '@m/blog/page.tsx',
    '@m/(.)blog/new/page.tsx',
  ])
  expect(listRoutes(tree).map(({ pattern, kind, file }) => `${pattern} ${kind} ${file}`)).toEqual([
    '/ page page.tsx',
    '/api route api/route.ts',
    '/blog page blog/page.tsx',
    '/blog/new page (g)/blog/new/page.tsx',
    '/blog/[slug] page (g)/blog/[slug]/page.mdx',
    '/[lang] page [lang]/page.tsx',
    '/[...all] page [...all]/page.tsx',
  ])
})

test("a slot's page is listed only if no other page has its URL", () => {
  const tree = buildRouteTree([
    'layout.tsx',
    'default.tsx',
    'blog/[id]/page.tsx',
    '@m/blog/new/page.tsx',
    '@m/alone/page.tsx',
    '@m/default.tsx',
  ])
  expect(listRoutes(tree)).toEqual([
    { pattern: '/alone', kind: 'page', file: '@m/alone/page.tsx' },
    { pattern: '/blog/[id]', kind: 'page', file: 'blog/[id]/page.tsx' },
  ])
})
