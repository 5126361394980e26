import { describe, expect, test } from 'vitest'
import type { ErrorCode } from '../shared/errors.ts'
import { checkRouteFiles } from './routeTree.ts'

type Case = [name: string, files: string[], errors: [ErrorCode, ...string[]][]]

/** Checks that each message contains the error's code and the expected strings. */
function expectErrors(files: string[], expected: Case[2]): void {
  const { errors: all, warnings } = checkRouteFiles(files)
  const errors = [...all, ...warnings]
  expect(errors.map(({ code }) => code)).toEqual(expected.map(([code]) => code))
  for (const [index, texts] of expected.entries()) {
    for (const text of texts) expect(errors[index]?.message).toContain(text)
  }
}

describe('two files for one URL', () => {
  test.each<Case>([
    [
      'through groups',
      ['layout.tsx', 'blog/page.tsx', '(site)/blog/page.tsx'],
      [['ROUTE_CONFLICT', '/blog', 'app/blog/page.tsx', 'app/(site)/blog/page.tsx']],
    ],
    [
      'a page and a route handler of different groups',
      ['layout.tsx', '(a)/x/page.tsx', '(b)/x/route.ts'],
      [['ROUTE_CONFLICT', 'app/(a)/x/page.tsx', 'app/(b)/x/route.ts']],
    ],
    [
      'dynamic segments of the same name in groups',
      ['layout.tsx', '(a)/[id]/page.tsx', '(b)/[id]/page.tsx'],
      [['ROUTE_CONFLICT', '/[id]']],
    ],
    [
      'a page in the parent folder of an optional rest',
      ['layout.tsx', 'docs/page.tsx', 'docs/[[...path]]/page.tsx'],
      [['ROUTE_CONFLICT', 'app/docs/page.tsx', 'app/docs/[[...path]]/page.tsx']],
    ],
    [
      'a rest beside an optional rest',
      ['layout.tsx', 'docs/[...path]/page.tsx', 'docs/[[...path]]/page.tsx'],
      [['ROUTE_CONFLICT', 'app/docs/[...path]/page.tsx']],
    ],
    [
      'a page beside a route handler',
      ['layout.tsx', 'api/page.tsx', 'api/route.ts'],
      [['PAGE_BESIDE_ROUTE', 'app/api/page.tsx', 'app/api/route.ts']],
    ],
    [
      'a metadata file and a route handler',
      ['sitemap.ts', 'sitemap.xml/route.ts'],
      [['ROUTE_CONFLICT', '/sitemap.xml', 'app/sitemap.ts', 'app/sitemap.xml/route.ts']],
    ],
    [
      'two metadata files in one folder',
      ['robots.js', 'robots.ts'],
      [['ROUTE_CONFLICT', '/robots.txt', 'app/robots.js', 'app/robots.ts']],
    ],
    [
      'inside a slot',
      ['layout.tsx', 'x/page.tsx', '@s/default.tsx', '@s/(a)/x/page.tsx', '@s/(b)/x/page.tsx'],
      [['ROUTE_CONFLICT', 'app/@s/(a)/x/page.tsx']],
    ],
    [
      'two interceptions of one URL in one slot',
      [
        'layout.tsx',
        'x/page.tsx',
        '@s/default.tsx',
        '@s/(a)/(.)x/page.tsx',
        '@s/(b)/(.)x/page.tsx',
      ],
      [['ROUTE_CONFLICT', '/x', 'app/@s/(a)/(.)x/page.tsx', 'app/@s/(b)/(.)x/page.tsx']],
    ],
    [
      'two extensions',
      ['layout.tsx', 'page.tsx', 'page.mdx'],
      [['DUPLICATE_FILE', 'page', 'app/page.mdx', 'app/page.tsx']],
    ],
  ])('%s', (_name, files, errors) => expectErrors(files, errors))

  test("a static name that looks like a param doesn't conflict with one", () => {
    expectErrors(['layout.tsx', '[id]/page.tsx', '%5Bid%5D/page.tsx'], [])
  })

  test("a page in a slot doesn't conflict with the page of the main slot", () => {
    expectErrors(['layout.tsx', 'page.tsx', '@s/page.tsx'], [])
  })
})

describe('names and places of segments', () => {
  test.each<Case>([
    [
      'two names for one dynamic segment',
      ['layout.tsx', '[id]/page.tsx', '[slug]/edit/page.tsx'],
      [['PARAM_NAME_CONFLICT', 'id', 'slug', 'app/[id]/page.tsx', 'app/[slug]/edit/page.tsx']],
    ],
    [
      'two names through groups',
      ['layout.tsx', '(a)/u/[id]/page.tsx', '(b)/u/[name]/edit/page.tsx'],
      [['PARAM_NAME_CONFLICT', 'id', 'name']],
    ],
    [
      'a rest that is not last',
      ['layout.tsx', '[...path]/edit/page.tsx'],
      [['SEGMENT_NAME', 'app/[...path]/edit', 'rest']],
    ],
    [
      'an optional rest that is not last',
      ['layout.tsx', 'docs/[[...path]]/[id]/page.tsx'],
      [['SEGMENT_NAME', 'app/docs/[[...path]]/[id]']],
    ],
    [
      'the same param twice',
      ['layout.tsx', '[id]/posts/[id]/page.tsx'],
      [['SEGMENT_NAME', 'app/[id]/posts/[id]', 'param id']],
    ],
    [
      'more levels up than the folder has',
      ['layout.tsx', '@m/default.tsx', '@m/(..)photo/page.tsx', 'photo/page.tsx'],
      [['SEGMENT_NAME', 'app/@m/(..)photo', '1 route level']],
    ],
    [
      'a path reserved for the framework',
      ['layout.tsx', '%5Fwaymark/data/page.tsx'],
      [['SEGMENT_NAME', '/_waymark/']],
    ],
    [
      'a route handler in a slot',
      ['layout.tsx', 'page.tsx', '@s/default.tsx', '@s/api/route.ts'],
      [['ROUTE_IN_SLOT', 'app/@s/api/route.ts']],
    ],
    [
      'an interception without a target',
      [
        'layout.tsx',
        'page.tsx',
        '@m/default.tsx',
        '@m/(.)photos/[id]/page.tsx',
        'photo/[id]/page.tsx',
      ],
      [['INTERCEPT_WITHOUT_TARGET', 'app/@m/(.)photos/[id]/page.tsx', '/photos/[id]', '404']],
    ],
    [
      'a page without a root layout',
      ['(a)/layout.tsx', '(a)/page.tsx', '(b)/x/page.tsx'],
      [['NO_ROOT_LAYOUT', 'app/(b)/x/page.tsx', 'app/layout.tsx']],
    ],
  ])('%s', (_name, files, errors) => expectErrors(files, errors))

  test.each<[string, string[]]>([
    ['dynamic, rest and optional rest of different names', ['[id]/page.tsx', '[...all]/page.tsx']],
    ['a dynamic segment with another name in a slot', ['[id]/page.tsx', '@s/[key]/page.tsx']],
    ['the same param in two branches', ['a/[id]/page.tsx', 'b/[id]/page.tsx']],
    ['groups and slots below a rest', ['[...all]/(g)/page.tsx', '[...all]/@s/page.tsx']],
  ])('%s cause no error', (_name, files) => expectErrors(['layout.tsx', ...files], []))

  test('each group may have its own root layout', () => {
    expectErrors(['(a)/layout.tsx', '(a)/page.tsx', '(b)/layout.tsx', '(b)/x/page.tsx'], [])
  })

  test('a route handler needs no layout', () => {
    expectErrors(['api/route.ts'], [])
  })
})

describe('a slot', () => {
  test.each<Case>([
    [
      'without a page for a URL below its folder needs a default',
      ['layout.tsx', 'page.tsx', 'x/page.tsx', '@s/page.tsx'],
      [['SLOT_WITHOUT_DEFAULT', '@s', '/x', 'app/@s/default.tsx']],
    ],
    [
      'needs a default if another slot makes the route',
      ['layout.tsx', 'o/layout.tsx', 'o/@a/page.tsx', 'o/@b/x/page.tsx'],
      [['SLOT_WITHOUT_DEFAULT', '@b', '/o', 'app/o/@b/default.tsx']],
    ],
    [
      'that only intercepts needs a default',
      ['layout.tsx', 'x/page.tsx', '@s/(.)x/page.tsx'],
      [['SLOT_WITHOUT_DEFAULT', '@s', 'app/@s/default.tsx']],
    ],
    [
      "with static pages doesn't cover a dynamic one",
      ['layout.tsx', '[id]/page.tsx', '@s/a/page.tsx', 'default.tsx'],
      [['SLOT_WITHOUT_DEFAULT', '@s', '/[id]']],
    ],
    [
      "with one dynamic page doesn't cover a rest",
      ['layout.tsx', '[...all]/page.tsx', '@s/[id]/page.tsx'],
      [['SLOT_WITHOUT_DEFAULT', '@s', '/[...all]']],
    ],
    [
      'of a group is checked only for the pages of the group',
      [
        'layout.tsx',
        'x/page.tsx',
        '(g)/layout.tsx',
        '(g)/page.tsx',
        '(g)/y/page.tsx',
        '(g)/@s/page.tsx',
      ],
      [['SLOT_WITHOUT_DEFAULT', '@s', '/y', 'app/(g)/@s/default.tsx']],
    ],
    [
      'needs a default where only another slot matches',
      ['layout.tsx', 'default.tsx', 'page.tsx', '@a/page.tsx', '@a/x/page.tsx', '@b/page.tsx'],
      [['SLOT_WITHOUT_DEFAULT', '@b', '/x']],
    ],
    [
      'inside an intercepting folder follows the same rules',
      [
        'layout.tsx',
        'x/page.tsx',
        '@m/default.tsx',
        '@m/(.)x/page.tsx',
        '@m/(.)x/@in/(g)/other/page.tsx',
      ],
      [['SLOT_WITHOUT_DEFAULT', '@in', '/x', 'app/@m/(.)x/@in/default.tsx']],
    ],
  ])('%s', (_name, files, errors) => expectErrors(files, errors))

  test.each<[string, string[]]>([
    ['a default', ['x/page.tsx', '@s/default.tsx']],
    ['the same page', ['x/page.tsx', '@s/x/page.tsx']],
    ['a dynamic page for static ones', ['x/page.tsx', 'y/page.tsx', '@s/[any]/page.tsx']],
    ['a rest for all deeper ones', ['x/y/page.tsx', 'z/[id]/page.tsx', '@s/[...any]/page.tsx']],
    [
      'an optional rest for everything',
      ['page.tsx', 'x/[...all]/page.tsx', '@s/[[...any]]/page.tsx'],
    ],
    ['only route handlers besides its pages', ['api/route.ts', 'a/page.tsx', '@s/a/page.tsx']],
    [
      'a rest that matches more URLs than the app has',
      ['page.tsx', '@s/default.tsx', '@s/[...any]/page.tsx'],
    ],
    ['a page whose URL has no other page', ['page.tsx', '@s/page.tsx', '@s/only/page.tsx']],
    ['pages through groups', ['x/page.tsx', '@s/(g)/x/page.tsx']],
  ])('is complete with %s', (_name, files) => expectErrors(['layout.tsx', ...files], []))
})
