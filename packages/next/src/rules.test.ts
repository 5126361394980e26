import { describe, expect, test } from 'vitest'
import type { Rule } from './nextConfig.ts'
import { compilePage, compileRule, writeDestination } from './rules.ts'

const origin = 'https://site.test'

function matched(rule: Rule, path: string, headers: Record<string, string> = {}) {
  return compileRule(rule)({ url: new URL(path, origin), headers: new Headers(headers) })
}

describe('a rule', () => {
  test.each<[string, string, object | null]>([
    ['/old/:slug', '/old/a', { slug: 'a' }],
    ['/old/:slug', '/old/a/b', null],
    ['/old/:slug*', '/old', {}],
    ['/old/:slug*', '/old/a/b', { slug: ['a', 'b'] }],
    ['/post/:id(\\d{1,})', '/post/12', { id: '12' }],
    ['/post/:id(\\d{1,})', '/post/a', null],
    ['/((?!api|static).*)', '/api/a', null],
    ['/café', '/caf%C3%A9', {}],
    ['/((?!api|static).*)', '/me', { 0: 'me' }],
    ['/a\\(b\\)', '/a(b)', {}],
  ])('for %s matches %s as %j', (source, path, expected) => {
    const found = matched({ source }, path)
    expect(found && { ...found }).toEqual(expected)
  })

  test.each<[Partial<Rule>, boolean]>([
    [{ has: [{ type: 'header', key: 'x-a' }] }, true],
    [{ has: [{ type: 'header', key: 'x-b' }] }, false],
    [{ has: [{ type: 'cookie', key: 'who', value: 'a.*' }] }, true],
    [{ has: [{ type: 'cookie', key: 'who', value: 'a' }] }, false],
    [{ has: [{ type: 'query', key: 'q', value: '1' }] }, true],
    [{ has: [{ type: 'host', value: 'site\\.test' }] }, true],
    [{ missing: [{ type: 'header', key: 'x-a' }] }, false],
    [{ missing: [{ type: 'query', key: 'r' }] }, true],
  ])('with %j counts: %s', (conditions, expected) => {
    const headers = { 'x-a': '1', cookie: 'other=1; who=ada' }
    expect(matched({ source: '/a', ...conditions }, '/a?q=1', headers) !== null).toBe(expected)
  })

  test('gives the named groups of its conditions', () => {
    const has = [{ type: 'host', value: '(?<tenant>\\w+)\\.test' }] as const
    expect({ ...matched({ source: '/:path', has }, '/a') }).toEqual({ path: 'a', tenant: 'site' })
  })

  test('that can not be parsed is named', () => {
    expect(() => matched({ source: '/a/:' }, '/a')).toThrow('The source "/a/:" can\'t be parsed')
  })
})

describe('a destination', () => {
  const written = (destination: string, params: object, keepsParams = false) =>
    writeDestination(destination, params as never, {
      url: new URL(`${origin}/from?kept=1`),
      keepsParams,
    })

  test.each<[string, object, string]>([
    ['/blog/:slug', { slug: 'a' }, '/blog/a?kept=1'],
    ['/docs/:path*', { path: ['a', 'b'] }, '/docs/a/b?kept=1'],
    ['/docs/:path*', {}, '/docs?kept=1'],
    ['/search?q=:slug#:slug', { slug: 'a' }, '/search?kept=1&q=a#a'],
    ['https://:tenant.example/:path', { tenant: 't', path: 'p' }, 'https://t.example/p?kept=1'],
  ])('%s of %j is %s', (destination, params, expected) => {
    expect(written(destination, params)).toBe(expected)
  })

  test('of a rewrite gets the params that it does not name', () => {
    expect(written('/page', { slug: 'a' }, true)).toBe('/page?kept=1&slug=a')
    expect(written('/page/:slug', { slug: 'a', b: 'c' }, true)).toBe('/page/a?kept=1')
  })

  test('keeps a param within the path', () => {
    expect(written('/x/:slug', { slug: '%2F%2Fevil' })).toBe('/x/%2F%2Fevil?kept=1')
  })
})

test.each<[string, string, boolean]>([
  ['/', '/', true],
  ['/blog/[slug]', '/blog/a', true],
  ['/blog/[slug]', '/blog', false],
  ['/(site)/about/@modal', '/about', true],
  ['/docs/[...path]', '/docs/a/b', true],
  ['/docs/[...path]', '/docs', false],
  ['/docs/[[...path]]', '/docs', true],
])('the page %s has %s: %s', (pattern, path, expected) => {
  expect(compilePage(pattern).test(path)).toBe(expected)
})
