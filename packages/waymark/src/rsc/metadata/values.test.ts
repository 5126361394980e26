import { describe, expect, test } from 'vitest'
import { absolutePageUrl, absoluteUrl, isLinkable, rootOf } from './values.ts'

const base = (root: string | null, pathname = '/') => ({
  root: () => rootOf(root),
  pathname: () => pathname,
})

describe('absoluteUrl', () => {
  test.each([
    ['/', 'https://acme.com', 'https://acme.com'],
    ['payments', 'https://acme.com', 'https://acme.com/payments'],
    ['/payments', 'https://acme.com', 'https://acme.com/payments'],
    ['./payments', 'https://acme.com', 'https://acme.com/payments'],
    ['../payments', 'https://acme.com', 'https://acme.com/payments'],
    ['/payments/', 'https://acme.com/', 'https://acme.com/payments'],
    ['/a?b=/', 'https://acme.com', 'https://acme.com/a?b=/'],
    ['/og.png', 'https://acme.com/docs', 'https://acme.com/docs/og.png'],
    ['?page=2', 'https://acme.com/docs/', 'https://acme.com/docs/?page=2'],
    ['/a:b', 'https://acme.com', 'https://acme.com/a:b'],
    ['https://beta.acme.com/', 'https://acme.com', 'https://beta.acme.com/'],
    ['//cdn.acme.com/x', 'https://acme.com', '//cdn.acme.com/x'],
    ['/payments', null, '/payments'],
  ])('%s from %s is %s', (value, root, expected) => {
    expect(absoluteUrl(value, base(root))).toBe(expected)
  })
})

describe('absolutePageUrl', () => {
  test.each([
    ['./', '/', 'https://acme.com'],
    ['./', '/blog/first', 'https://acme.com/blog/first'],
    ['.', '/blog/first', 'https://acme.com/blog/first'],
    ['./print', '/blog', 'https://acme.com/blog/print'],
    ['../about', '/blog', 'https://acme.com/about'],
    ['./?page=2', '/blog', 'https://acme.com/blog?page=2'],
    ['/fixed', '/blog', 'https://acme.com/fixed'],
    ['.well-known/x', '/blog', 'https://acme.com/.well-known/x'],
  ])('%s on %s is %s', (value, pathname, expected) => {
    expect(absolutePageUrl(value, base('https://acme.com', pathname))).toBe(expected)
  })

  test('without a base, the path is returned', () => {
    expect(absolutePageUrl('./', base(null, '/blog'))).toBe('/blog')
    expect(absolutePageUrl('./', base(null, '/'))).toBe('/')
  })
})

describe('isLinkable', () => {
  test.each([
    ['https://acme.com', true],
    ['/javascript:', true],
    ['mailto:ann@acme.com', true],
    ['data:image/svg+xml,x', true],
    ['javascript:alert(1)', false],
    ['JaVaScRiPt:alert(1)', false],
    ['\u0001 javascript:alert(1)', false],
    ['java\nscript:alert(1)', false],
    ['\tj\ta\tvascript\t:alert(1)', false],
    ['vbscript:x', false],
  ])('%j: %s', (url, expected) => {
    expect(isLinkable(url)).toBe(expected)
  })
})
