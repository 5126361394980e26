import { expect, test } from 'vitest'
import { matchPattern } from './matchPattern.ts'

const patterns = [
  '/',
  '/blog/new',
  '/blog/[slug]',
  '/caf%C3%A9',
  '/docs/[...path]',
  '/shop/[[...all]]',
]

test.each([
  ['/', '/'],
  ['/blog/new', '/blog/new'],
  ['/blog/hello', '/blog/[slug]'],
  ['/blog/hello/', '/blog/[slug]'],
  ['/blog', null],
  ['/blog/a/b', null],
  ['/café', '/caf%C3%A9'],
  ['/docs/a/b', '/docs/[...path]'],
  ['/docs', null],
  ['/shop', '/shop/[[...all]]'],
  ['/shop/a/b', '/shop/[[...all]]'],
  ['/%', null],
])('the route of %s is %s', (pathname, route) => {
  expect(matchPattern(patterns, pathname)).toBe(route)
})
