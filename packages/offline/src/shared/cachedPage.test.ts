import { expect, test } from 'vitest'
import { openablePages, readCacheHeader, writeCacheHeader } from './cachedPage.ts'
import { cacheNameOf, parseCacheName } from './cacheNames.ts'

const entry = {
  savedAtMs: 1,
  expiresAtMs: 2,
  url: '/ä',
  title: 'Größe – 大',
  isScreen: false,
  data: '/d.rsc',
  bytes: 3,
  files: [['/a,b.js', 4]] as const,
}

test('the description of a page survives the headers of a response', () => {
  const headers = writeCacheHeader(new Headers({ etag: '"a"' }), entry)
  expect(readCacheHeader(new Response('', { headers }))).toEqual(entry)
  expect(headers.get('etag')).toBe('"a"')
  expect(readCacheHeader(new Response(''))).toBe(null)
})

test('a cache name contains build and session, and names of other caches are rejected', () => {
  for (const name of [
    { build: 'ab1', seal: null },
    { build: 'a', seal: '12ef' },
  ]) {
    for (const basePath of ['', '/docs', '/docs/v1']) {
      expect(parseCacheName(basePath, cacheNameOf(basePath, name))).toEqual(name)
    }
  }
  expect(parseCacheName('', 'images')).toBe(null)
})

test('apps at different paths of an origin have separate caches', () => {
  const paths = ['', '/docs', '/docs/v1', '/docsx']
  for (const basePath of paths) {
    const name = cacheNameOf(basePath, { build: 'a', seal: null })
    expect(paths.filter((path) => parseCacheName(path, name))).toEqual([basePath])
  }
})

test('a page that two builds cached is listed once, until it expires', () => {
  const page = { ...entry, cache: 'c', build: 'b', isPrivate: false }
  const pages = [
    { ...page, savedAtMs: 9, expiresAtMs: 20 },
    { ...page, expiresAtMs: 20 },
    { ...page, url: '/old', expiresAtMs: 10 },
  ]
  expect(openablePages(pages, 10)).toEqual([pages[0]])
})
