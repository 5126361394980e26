import { expect, test } from 'vitest'
import { mounted, unmounted } from './basePath.ts'

test.each([
  ['/', '/docs'],
  ['/a/b?c=/d#e', '/docs/a/b?c=/d#e'],
  ['/?a', '/docs?a'],
  ['/#a', '/docs#a'],
  ['?a', '?a'],
  ['a', 'a'],
  ['//evil.example', '//evil.example'],
  ['https://other.example/', 'https://other.example/'],
])('%s is %s to browsers', (path, shown) => {
  expect(mounted(path, '/docs')).toBe(shown)
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
])('%s is %s to the app', (shown, path) => {
  expect(unmounted(shown, '/docs')).toBe(path)
  expect(unmounted(shown, '')).toBe(shown)
})
