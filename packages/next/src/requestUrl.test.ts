import { expect, test } from 'vitest'
import { NextURL } from './requestUrl.ts'

test('the pathname of a URL is without basePath, and the rest has it', () => {
  const url = new NextURL('https://site.test/docs/a?b=c', undefined, '/docs')
  expect([url.pathname, url.basePath, url.search]).toEqual(['/a', '/docs', '?b=c'])
  const copy = url.clone()
  copy.pathname = '/login'
  expect([copy.href, url.pathname]).toEqual(['https://site.test/docs/login?b=c', '/a'])
  copy.pathname = '/'
  expect([copy.href, copy.pathname]).toEqual(['https://site.test/docs?b=c', '/'])
})

test.each(['/docsx/a', '/'])('%s is outside of /docs', (path) => {
  const url = new NextURL(path, 'https://site.test', '/docs')
  expect([url.pathname, url.basePath]).toEqual([path, ''])
})
