import { describe, expect, it } from 'vitest'
import { canonicalPathname, encodePathname } from './pathnames.ts'

describe('canonicalPathname', () => {
  it.each([
    ['/', '/'],
    ['/a/b.js', '/a/b.js'],
    ['/a/b.js?v=1#x', '/a/b.js'],
    ['/%61.js', '/a.js'],
    ['/caf%c3%a9', '/caf%C3%A9'],
    ['/[id].js', '/%5Bid%5D.js'],
    ['/a b', '/a%20b'],
    ['/100%25', '/100%25'],
    ['/a%3Fb', '/a%3Fb'],
    ['/a%23b', '/a%23b'],
    ['/a%2525', '/a%2525'],
    ['/a?b/../c', '/a'],
  ])('%s becomes %s', (target, expected) => {
    expect(canonicalPathname(target)).toBe(expected)
  })

  it.each([
    '/%',
    '/%zz',
    '/%ff',
    '/a%2Fb',
    '/a%5cb',
    '/a\\b',
    '/a%00b',
    '/%2e%2e/etc',
    '/.%2e/etc',
    '/%2e/a',
    '/%ed%a0%80',
  ])('%s is not a file', (target) => {
    expect(canonicalPathname(target)).toBeNull()
  })

  it.each(['/a b/ü?#%.txt', '/x%2Fy', '/日本/[...rest].js', "/it's (1).js"])(
    'normalizes the encoded name of %s to itself',
    (pathname) => {
      const encoded = encodePathname(pathname)
      // The path stays unchanged. A file with an encoded slash in its name can't be requested.
      expect(canonicalPathname(encoded)).toBe(encoded)
      expect(decodeURIComponent(encoded)).toBe(pathname)
    },
  )
})
