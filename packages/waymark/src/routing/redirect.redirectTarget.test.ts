import { describe, expect, test } from 'vitest'
import { parseRedirectTarget } from './redirect.ts'

describe('a redirect target', () => {
  test.each([
    ['/', '/'],
    ['/login', '/login'],
    ['/login?from=/cart&a=1#top', '/login?from=/cart&a=1#top'],
    ['/a b', '/a%20b'],
    ['/über/日本?q=ä#ö', '/%C3%BCber/%E6%97%A5%E6%9C%AC?q=%C3%A4#%C3%B6'],
    ['/a%2Fb', '/a%2Fb'],
    ['/a/../b', '/b'],
    ['/@user', '/@user'],
    ['/a//b', '/a//b'],
    ['/javascript:alert(1)', '/javascript:alert(1)'],
    ['/?next=//evil.example', '/?next=//evil.example'],
    ['/?path=c:\\temp', '/?path=c:\\temp'],
    ['https://example.com', 'https://example.com/'],
    ['HTTP://EXAMPLE.com/a?b#c', 'http://example.com/a?b#c'],
    ['https://exämple.com/ü', 'https://xn--exmple-cua.com/%C3%BC'],
    [new URL('https://example.com/x'), 'https://example.com/x'],
  ])('%s is written %s', (target, location) => {
    expect(parseRedirectTarget(target)).toBe(location)
  })

  test.each([
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/a\\..\\..\\evil.example',
    '/.//evil.example',
    '/a/..//evil.example',
    '/%2e//evil.example',
    '/\t/evil.example',
    '/a\r\nset-cookie: a=b',
    '/a\u0000',
    '/a\u0085',
    '\u0000/a',
    ' /a',
    '',
    'login',
    './login',
    '?tab=2',
    '#top',
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,x',
    'blob:https://example.com/1',
    'ftp://example.com',
    'https:evil.example',
    'https:/evil.example',
    'https:///evil.example',
    'https:\\\\evil.example',
    'https://good.example\\@evil.example',
    'https://',
    'https://a b/',
    'http://[::1',
    '/\ud800',
    'mailto:a@example.com',
  ])('%j is refused', (target) => {
    expect(() => parseRedirectTarget(target)).toThrow(/was refused: .*\(REDIRECT_TARGET\)/s)
  })

  test("doesn't change when it's parsed again", () => {
    const once = parseRedirectTarget('/ü b/?q=ä b#ö')
    expect(parseRedirectTarget(once)).toBe(once)
  })
})
