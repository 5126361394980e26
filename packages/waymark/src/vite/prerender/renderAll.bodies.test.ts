import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { HeaderLines } from '../../http/response.ts'
import { temporaryFolder } from '../../shared/testing/temporaryFolder.ts'
import { createBodyWriter } from './renderAll.ts'

const answer = (text: string, headers: HeaderLines = []) => ({
  status: 200,
  headers,
  body: Buffer.from(text),
})

test('a body is written into the folder, and the manifest contains its path', () => {
  const folder = temporaryFolder()
  const written = createBodyWriter(folder, 'pages').write('blog/a.html', answer('hello'))
  expect(written.file).toBe('pages/blog/a.html')
  expect(readFileSync(join(folder, 'blog/a.html'), 'utf8')).toBe('hello')
})

test.each([
  [[['cache-control', 'private, no-store']], 'public, max-age=0, must-revalidate'],
  [[['Cache-Control', 'public, max-age=60']], 'public, max-age=60'],
  [[], 'public, max-age=0, must-revalidate'],
] as [HeaderLines, string][])('the caching of %o is %s', (headers, expected) => {
  const written = createBodyWriter(temporaryFolder(), 'pages').write('a', answer('x', headers))
  const cacheControl = written.headers.filter(([name]) => name.toLowerCase() === 'cache-control')
  expect(cacheControl.map(([, value]) => value)).toEqual([expected])
})

test('no cache stores a fallback screen', () => {
  const missing = { ...answer('x', [['cache-control', 'private, no-store']]), status: 404 }
  const { headers } = createBodyWriter(temporaryFolder(), 'pages').write('a', missing)
  expect(headers).toContainEqual(['cache-control', 'private, no-store'])
})

test("headers that the server adds aren't listed", () => {
  const headers: HeaderLines = [
    ['content-type', 'text/html'],
    ['Content-Length', '9'],
    ['vary', 'accept'],
  ]
  const written = createBodyWriter(temporaryFolder(), 'pages').write('a', answer('x', headers))
  expect(written.headers.map(([name]) => name)).toEqual(['content-type', 'cache-control'])
})
