import { existsSync, mkdtempSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { HeaderLines } from '../../shared/response.ts'
import { createBodyWriter } from './renderAll.ts'

const newFolder = () => mkdtempSync(join(tmpdir(), 'waymark-bodies-'))
const answer = (text: string, headers: HeaderLines = []) => ({
  status: 200,
  headers,
  body: Buffer.from(text),
})

test('a body is written below the folder, and named from the manifest', async () => {
  const folder = newFolder()
  const written = await createBodyWriter(folder, 'pages').write('blog/a.html', answer('hello'))
  expect(written.file).toBe('pages/blog/a.html')
  expect(readFileSync(join(folder, 'blog/a.html'), 'utf8')).toBe('hello')
})

test('a body that is the same is left alone', async () => {
  const folder = newFolder()
  await createBodyWriter(folder, 'pages').write('a.html', answer('hello'))
  const file = join(folder, 'a.html')
  utimesSync(file, 1, 1)
  await createBodyWriter(folder, 'pages').write('a.html', answer('hello'))
  expect(statSync(file).mtimeMs).toBe(1000)
  await createBodyWriter(folder, 'pages').write('a.html', answer('other'))
  expect(readFileSync(file, 'utf8')).toBe('other')
})

test('what is left of earlier builds goes, with its compressed siblings', async () => {
  const folder = newFolder()
  for (const name of ['a.html', 'a.html.br', 'old.html', 'old.html.gz']) {
    writeFileSync(join(folder, name), 'x')
  }
  const bodies = createBodyWriter(folder, 'pages')
  await bodies.write('a.html', answer('x'))
  await bodies.removeOthers()
  const left = ['a.html', 'a.html.br', 'old.html', 'old.html.gz']
  expect(left.map((name) => existsSync(join(folder, name)))).toEqual([true, true, false, false])
})

test.each([
  [[['cache-control', 'private, no-store']], 'public, max-age=0, must-revalidate'],
  [[['Cache-Control', 'public, max-age=60']], 'public, max-age=60'],
  [[], 'public, max-age=0, must-revalidate'],
] as [HeaderLines, string][])('the caching of %o is %s', async (headers, expected) => {
  const written = await createBodyWriter(newFolder(), 'pages').write('a', answer('x', headers))
  const found = written.headers.filter(([name]) => name.toLowerCase() === 'cache-control')
  expect(found.map(([, value]) => value)).toEqual([expected])
})

test('a fallback is kept by nobody', async () => {
  const missing = { ...answer('x', [['cache-control', 'private, no-store']]), status: 404 }
  const { headers } = await createBodyWriter(newFolder(), 'pages').write('a', missing)
  expect(headers).toContainEqual(['cache-control', 'private, no-store'])
})

test('what the server says itself is not listed', async () => {
  const headers: HeaderLines = [
    ['content-type', 'text/html'],
    ['Content-Length', '9'],
    ['vary', 'accept'],
  ]
  const written = await createBodyWriter(newFolder(), 'pages').write('a', answer('x', headers))
  expect(written.headers.map(([name]) => name)).toEqual(['content-type', 'cache-control'])
})
