import { describe, expect, test } from 'vitest'
import type { Rule } from './nextConfig.ts'
import {
  ClientTextError,
  checkDestination,
  compilePage,
  compileRule,
  isMisread,
  writeDestination,
} from './rules.ts'

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
    const params = matched({ source }, path)
    expect(params && { ...params }).toEqual(expected)
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

  test('returns the named groups of its conditions', () => {
    const has = [{ type: 'host', value: '(?<tenant>\\w+)\\.test' }] as const
    expect({ ...matched({ source: '/:path', has }, '/a') }).toEqual({ path: 'a', tenant: 'site' })
  })

  test.each<[string, boolean]>([
    ['/a?q=admin', true],
    ['/a?q=staff', true],
    ['/a?q=administrator', false],
    ['/a?q=not-staff', false],
    // As in Next, a condition reads the last value, and an empty value counts as missing.
    ['/a?q=other&q=staff', true],
    ['/a?q=staff&q=other', false],
    ['/a?q=', false],
  ])('with the value admin|staff matches %s: %s', (path, expected) => {
    const condition = { type: 'query', key: 'q', value: 'admin|staff' } as const
    expect(matched({ source: '/a', has: [condition] }, path) !== null).toBe(expected)
    expect(matched({ source: '/a', missing: [condition] }, path) !== null).toBe(!expected)
  })

  test.each([
    ['header', { skip: '' }],
    ['cookie', { cookie: 'skip=' }],
  ] as const)('matches if a %s is missing or empty', (type, empty) => {
    const rule = { source: '/a', missing: [{ type, key: 'skip' }] }
    const present = type === 'header' ? { skip: '1' } : { cookie: 'a=b; skip=1' }
    expect(matched(rule, '/a')).not.toBe(null)
    expect(matched(rule, '/a', empty)).not.toBe(null)
    expect(matched(rule, '/a', present)).toBe(null)
  })

  test("that can't be parsed is named in the error", () => {
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
    ['/:path*', {}, '/?kept=1'],
    ['/search?q=:slug#:slug', { slug: 'a' }, '/search?kept=1&q=a#a'],
    ['https://:tenant.example/:path', { tenant: 't', path: 'p' }, 'https://t.example/p?kept=1'],
  ])('%s of %j is %s', (destination, params, expected) => {
    expect(written(destination, params)).toBe(expected)
  })

  test('of a rewrite gets unused params as its query', () => {
    expect(written('/page', { slug: 'a' }, true)).toBe('/page?kept=1&slug=a')
    expect(written('/page/:slug', { slug: 'a', b: 'c' }, true)).toBe('/page/a?kept=1')
  })

  const paramsOfQuery = (value: string, pattern = '(?<to>[^]*)') => {
    const has = [{ type: 'query', key: 'q', value: pattern }] as const
    return matched({ source: '/a', has }, `/a?q=${encodeURIComponent(value)}`) ?? {}
  }

  test.each([
    ['/:to', '/evil.example', '/evil.example'],
    ['/:to', '//evil.example', '/evil.example'],
    ['/:to', 'docs/a b', '/docs/a%20b'],
    ['/:to', '☃?q#h', '/%E2%98%83%3Fq%23h'],
    ['/x/:to*', 'a/b', '/x/a/b'],
    ['/x?to=:to', '../☃', '/x?to=..%2F%E2%98%83'],
    ['/x#:to', '☃\r\n\0', '/x#%E2%98%83%0D%0A%00'],
    ['https://a.test/:to', 'x?y=/z', 'https://a.test/x%3Fy%3D/z'],
    ['https://:to.a.test:3000/', 'de-1', 'https://de-1.a.test:3000/'],
  ])("%s encodes a condition's value %j: %s", (destination, value, expected) => {
    expect(
      written(destination, paramsOfQuery(value)).replace('kept=1&', '').replace('?kept=1', ''),
    ).toBe(expected)
  })

  test.each([
    ['/:to', '..'],
    ['/users/:to', '../admin'],
    ['/:to', '\\evil.example'],
    ['/:to', 'a\0'],
    ['/:to', '%2e%2e'],
    ['/:to', '\u0085'],
    ['http://:to.a.test/', '127.0.0.1:1/x?'],
    ['http://:to.a.test/', 'evil.test#'],
    ['http://:to.a.test/', 'a.b'],
    ['http://:to.a.test/', '@'],
  ])('%s refuses %j', (destination, value) => {
    expect(() => written(destination, paramsOfQuery(value))).toThrow(ClientTextError)
  })

  test('encodes half of a surrogate pair', () => {
    expect(written('/x?to=:to', paramsOfQuery('😀', '(?<to>.).*'))).toBe('/x?kept=1&to=%EF%BF%BD')
  })

  test('with characters beyond ASCII is valid in a header', () => {
    expect(written('/caf\u00e9', {})).toBe('/caf%C3%A9?kept=1')
    expect(written('/x?q=:slug', { slug: 'caf%C3%A9' })).toBe('/x?kept=1&q=caf%C3%A9')
  })

  test.each([
    ['//evil.test/:a', 'starts with one slash'],
    ['/\\evil', 'starts with one slash'],
    ['a/b', 'starts with one slash'],
    ['ftp://a.test/', 'scheme'],
    ['https://:host/:path*', 'host ends with a param'],
    ['https://www.:host:3000/', 'host ends with a param'],
  ])('%s is refused by the build: %s', (destination, why) => {
    expect(() => checkDestination(destination)).toThrow(why)
  })

  test.each(['/', '/:a', '/:a*', 'https://:sub.a.test:3000/x', 'HTTP://a.test'])(
    '%s is accepted by the build',
    (destination) => expect(() => checkDestination(destination)).not.toThrow(),
  )

  test('keeps a param in the path', () => {
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
])('the page %s matches %s: %s', (pattern, path, expected) => {
  expect(compilePage(pattern).test(path)).toBe(expected)
})

test.each<[string, boolean]>([
  ['admin|staff', true],
  ['(admin|staff)', false],
  ['[a|b]', false],
  ['a\\|b', false],
  ['[(]|b', true],
])('%s is matched differently by Next: %s', (value, expected) => {
  expect(isMisread(value)).toBe(expected)
})
