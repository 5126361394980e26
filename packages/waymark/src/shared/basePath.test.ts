import { expect, test } from 'vitest'
import { mounted, unmounted, withoutSlash, withSlash } from './basePath.ts'

test.each([
  ['/', '/docs'],
  ['/a/b?c=/d#e', '/docs/a/b?c=/d#e'],
  ['/?a', '/docs?a'],
  ['/#a', '/docs#a'],
  ['?a', '?a'],
  ['a', 'a'],
  ['//evil.example', '//evil.example'],
  ['https://other.example/', 'https://other.example/'],
])('%s is %s in browsers', (path, publicPath) => {
  expect(mounted(path, '/docs')).toBe(publicPath)
  expect(mounted(path, '')).toBe(path)
})

test.each([
  ['/docs', '/'],
  ['/docs?a', '/?a'],
  ['/docs/a', '/a'],
  ['/docs/docs', '/docs'],
  ['/docs//evil.example', '//evil.example'],
  ['/docsx', null],
  ['/docs%2Fa', null],
  ['/%64ocs/a', null],
  ['//docs/a', null],
  ['/DOCS/a', null],
  ['/', null],
])('%s is %s in the app', (publicPath, path) => {
  expect(unmounted(publicPath, '/docs')).toBe(path)
  expect(unmounted(publicPath, '')).toBe(publicPath)
})

test.each([
  ['/a/b?c=/d#e', '/a/b/?c=/d#e'],
  ['/a', '/a/'],
  ['/', '/'],
  ['/?a', '/?a'],
  ['/a/', '/a/'],
  ['/v1.2/a', '/v1.2/a/'],
  ['/a.txt', '/a.txt'],
  ['/_waymark/live', '/_waymark/live'],
  ['/.well-known/me', '/.well-known/me'],
  ['//evil.example/a', '//evil.example/a'],
  ['//evil', '//evil'],
  ['?a', '?a'],
  ['https://other.example/a', 'https://other.example/a'],
])('%s is %s if URLs end with a slash', (path, publicPath) => {
  expect(withSlash(path, '')).toBe(publicPath)
  const below = mounted('/_waymark/a', '/docs')
  expect(withSlash(below, '/docs')).toBe(below)
})

test.each([
  ['/a/', '/a'],
  ['/a/?b=c/', '/a?b=c/'],
  ['/a?b=c/', '/a?b=c/'],
  ['/', '/'],
  ['/?a', '/?a'],
  ['//', '//'],
  ['/a//', '/a//'],
])('the slash at the end of %s is removed: %s', (path, bare) => {
  expect(withoutSlash(path)).toBe(bare)
})
