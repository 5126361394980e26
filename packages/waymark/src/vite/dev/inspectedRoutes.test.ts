import { expect, test } from 'vitest'
import { buildRouteTree } from '../../routing/testing/buildRouteTree.ts'
import { createInspectedRoutes, parsePathname } from './inspectedRoutes.ts'

const routes = createInspectedRoutes(async () =>
  buildRouteTree([
    'layout.tsx',
    'page.tsx',
    'blog/[slug]/page.tsx',
    'feed/route.ts',
    'list/layout.tsx',
    'list/page.tsx',
    'list/@modal/default.tsx',
    'list/@modal/(..)blog/[id]/page.tsx',
  ]),
)

test('lists pages and route handlers, most specific first', async () => {
  expect((await routes.list()).map(({ pattern, kind }) => `${kind} ${pattern}`)).toEqual([
    'page /',
    'page /blog/[slug]',
    'route /feed',
    'page /list',
  ])
})

test('explains a pathname with the files that render it and with its interceptions', async () => {
  expect(await routes.explain('/blog/one')).toEqual({
    pattern: '/blog/[slug]',
    kind: 'page',
    file: 'blog/[slug]/page.tsx',
    params: { slug: 'one' },
    files: ['layout.tsx', 'blog/[slug]/page.tsx'],
    interceptions: [{ from: '/list', file: 'list/@modal/(..)blog/[id]/page.tsx' }],
  })
  expect(await routes.explain('/nowhere')).toBeNull()
})

test.each([
  ['/blog/one?q=1', '/blog/one'],
  ['/', '/'],
  ['/a//b', null],
  ['/a/../b', null],
  ['http://evil.test/', null],
  ['', null],
])('parses %j as %j', (text, pathname) => {
  expect(parsePathname(text)).toBe(pathname)
})
