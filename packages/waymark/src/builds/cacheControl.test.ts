import { expect, test } from 'vitest'
import { cacheControlLines, cachedPageHeaders } from './cacheControl.ts'

const forEver = { revalidateSeconds: null, expireSeconds: null }

test.each([
  [forEver, ['public, max-age=0, must-revalidate']],
  [
    { revalidateSeconds: 60, expireSeconds: null },
    ['public, max-age=0, s-maxage=60', 'public, max-age=60, stale-while-revalidate=60'],
  ],
  [
    { revalidateSeconds: 60, expireSeconds: 3600 },
    ['public, max-age=0, s-maxage=60', 'public, max-age=60, stale-while-revalidate=3540'],
  ],
  [
    { revalidateSeconds: 60, expireSeconds: 30 },
    ['public, max-age=0, s-maxage=60', 'public, max-age=60'],
  ],
])('caching headers for a life of %o', (life, values) => {
  expect(cacheControlLines(life).map(([, value]) => value)).toEqual(values)
})

test("a handler's public caching headers stay, and headers for one client are replaced", () => {
  const headers = cachedPageHeaders(200, [['Cache-Control', 'public, max-age=5']], forEver)
  expect(headers).toEqual([['Cache-Control', 'public, max-age=5']])
  const rendered = cachedPageHeaders(200, [['cache-control', 'private, no-store']], forEver)
  expect(rendered).toEqual(cacheControlLines(forEver))
})

test('no cache stores a fallback screen', () => {
  expect(cachedPageHeaders(404, [['etag', '"a"']], forEver)).toEqual([
    ['cache-control', 'private, no-store'],
  ])
})
