import { describe, expect, test } from 'vitest'
import {
  type CookieOptions,
  formatCookies,
  formatSetCookie,
  parseCookies,
  requiredOptions,
} from './cookies.ts'

describe('reading a cookie header', () => {
  test.each<[string, [string, string][]]>([
    ['', []],
    ['a=1', [['a', '1']]],
    [
      'a=1; b=2',
      [
        ['a', '1'],
        ['b', '2'],
      ],
    ],
    [
      'a=1;b=2;',
      [
        ['a', '1'],
        ['b', '2'],
      ],
    ],
    [
      '  a = 1 ;\tb=2',
      [
        ['a', '1'],
        ['b', '2'],
      ],
    ],
    ['a=', [['a', '']]],
    ['a=b=c', [['a', 'b=c']]],
    ['a="quoted"', [['a', 'quoted']]],
    ['a="', [['a', '"']]],
    ['a=%E2%82%AC%20x', [['a', '€ x']]],
    ['a=%', [['a', '%']]],
    ['a=%ff%20', [['a', '%ff%20']]],
    [
      'a=1; a=2',
      [
        ['a', '1'],
        ['a', '2'],
      ],
    ],
    ['nothing; a=1', [['a', '1']]],
    ['=1; a=1', [['a', '1']]],
    ['a b=1; c@d=2; e=3', [['e', '3']]],
    [
      '__proto__=1; constructor=2',
      [
        ['__proto__', '1'],
        ['constructor', '2'],
      ],
    ],
  ])('%j', (header, cookies) => {
    expect(parseCookies(header)).toEqual(cookies.map(([name, value]) => ({ name, value })))
  })

  test.each(['', 'a b', 'a;b,c="d"\\', '100%', '%41', 'ü 日本 😀', 'a=b&c', '\r\n\u0000'])(
    'gives back the value %j that was written',
    (value) => {
      const cookies = [
        { name: 'a', value },
        { name: 'b', value: 'x' },
      ]
      expect(parseCookies(formatCookies(cookies))).toEqual(cookies)
      const line = formatSetCookie('a', value)
      expect(parseCookies(line.split(';', 1)[0] ?? '')).toEqual([{ name: 'a', value }])
    },
  )

  test('with many pairs takes time in proportion to its length', () => {
    const header = Array.from({ length: 20_000 }, (_, index) => `c${index}="${index}`).join('; ')
    const startMs = performance.now()
    expect(parseCookies(header)).toHaveLength(20_000)
    expect(performance.now() - startMs).toBeLessThan(1000)
  })
})

describe('writing a set-cookie line', () => {
  test.each<[string, CookieOptions | undefined, string]>([
    ['the defaults', undefined, 'a=1; Path=/; SameSite=Lax'],
    ['a path', { path: '/cart' }, 'a=1; Path=/cart; SameSite=Lax'],
    ['a domain', { domain: 'example.com' }, 'a=1; Path=/; Domain=example.com; SameSite=Lax'],
    [
      'a domain with a dot',
      { domain: '.example.com' },
      'a=1; Path=/; Domain=example.com; SameSite=Lax',
    ],
    ['an age', { maxAge: 60 }, 'a=1; Path=/; Max-Age=60; SameSite=Lax'],
    [
      'a date',
      { expires: new Date(0) },
      'a=1; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; SameSite=Lax',
    ],
    [
      'milliseconds',
      { expires: 1000 },
      'a=1; Path=/; Expires=Thu, 01 Jan 1970 00:00:01 GMT; SameSite=Lax',
    ],
    ['flags', { secure: true, httpOnly: true }, 'a=1; Path=/; Secure; HttpOnly; SameSite=Lax'],
    ['false flags', { secure: false, httpOnly: false }, 'a=1; Path=/; SameSite=Lax'],
    ['SameSite by true', { sameSite: true }, 'a=1; Path=/; SameSite=Strict'],
    ['no SameSite', { sameSite: false }, 'a=1; Path=/'],
    ['SameSite=None', { sameSite: 'none', secure: true }, 'a=1; Path=/; Secure; SameSite=None'],
    [
      'partitioned',
      { partitioned: true, secure: true },
      'a=1; Path=/; Secure; SameSite=Lax; Partitioned',
    ],
    ['a priority', { priority: 'high' }, 'a=1; Path=/; SameSite=Lax; Priority=High'],
  ])('with %s', (_, options, line) => {
    expect(formatSetCookie('a', '1', options)).toBe(line)
  })

  test.each(['a; Domain=evil.example', 'a\r\nset-cookie: b=1', 'a,b', 'ü'])(
    'the value %j can not add an attribute',
    (value) => {
      expect(formatSetCookie('a', value)).toMatch(/^a=[\w%.-]+; Path=\/; SameSite=Lax$/)
    },
  )

  test.each<[string, string, string, CookieOptions, RegExp]>([
    ['an empty name', '', '1', {}, /a name may only contain/],
    ['a name with a space', 'a b', '1', {}, /a name may only contain/],
    ['a name with a line break', 'a\r\nb', '1', {}, /a name may only contain/],
    ['a name with =', 'a=b', '1', {}, /a name may only contain/],
    ['a name beyond ASCII', 'ä', '1', {}, /a name may only contain/],
    ['a value that is too long', 'a', 'x'.repeat(4096), {}, /4097 bytes/],
    ['a value that is half a character', 'a', '\ud800', {}, /well-formed/],
    ['a value that is not a string', 'a', 1 as unknown as string, {}, /of type number/],
    ['a path with a semicolon', 'a', '1', { path: '/; Domain=evil.example' }, /path/],
    ['a path with a line break', 'a', '1', { path: '/\r\nx: y' }, /path/],
    ['a relative path', 'a', '1', { path: 'cart' }, /path/],
    ['a path that is too long', 'a', '1', { path: `/${'x'.repeat(1024)}` }, /path/],
    ['a domain with a semicolon', 'a', '1', { domain: 'a; Path=/' }, /domain/],
    ['an empty domain', 'a', '1', { domain: '' }, /domain/],
    ['a domain with a port', 'a', '1', { domain: 'example.com:80' }, /domain/],
    ['half a second', 'a', '1', { maxAge: 0.5 }, /maxAge is 0.5/],
    ['an age that is not a number', 'a', '1', { maxAge: Number.NaN }, /maxAge is NaN/],
    ['an invalid date', 'a', '1', { expires: new Date('x') }, /not a date/],
    ['another SameSite', 'a', '1', { sameSite: 'Lax; x' as 'lax' }, /sameSite is Lax; x/],
    ['another priority', 'a', '1', { priority: 'High' as 'high' }, /priority is High/],
    ['SameSite=None without Secure', 'a', '1', { sameSite: 'none' }, /needs secure/],
    ['Partitioned without Secure', 'a', '1', { partitioned: true }, /needs secure/],
    ['__Secure- without Secure', '__Secure-a', '1', {}, /__Secure- needs secure/],
    ['__Host- without Secure', '__Host-a', '1', {}, /__Host- needs secure/],
    ['__host- in small letters', '__host-a', '1', {}, /__host- needs secure/],
    ['__Host- with a domain', '__Host-a', '1', { secure: true, domain: 'a.example' }, /no domain/],
    ['__Host- below a path', '__Host-a', '1', { secure: true, path: '/a' }, /needs the path/],
    ['__Http- without HttpOnly', '__Http-a', '1', { secure: true }, /needs httpOnly/],
    ['__Host-Http- without HttpOnly', '__Host-Http-a', '1', { secure: true }, /needs httpOnly/],
  ])('with %s is refused', (_, name, value, options, message) => {
    expect(() => formatSetCookie(name, value, options)).toThrow(message)
  })

  test.each(['__Secure-a', '__Host-a', '__Http-a', '__Host-Http-a', '__HOST-a', 'a'])(
    '%s is accepted with the attributes that its name requires',
    (name) => {
      expect(formatSetCookie(name, '1', requiredOptions(name))).toContain(`${name}=1; Path=/`)
    },
  )
})
