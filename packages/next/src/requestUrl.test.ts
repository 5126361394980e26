import { expect, test } from 'vitest'
import { NextURL } from './requestUrl.ts'

test('only the pathname of a URL leaves out basePath', () => {
  const url = new NextURL('https://site.test/docs/a?b=c', undefined, '/docs')
  expect([url.pathname, url.basePath, url.search]).toEqual(['/a', '/docs', '?b=c'])
  const copy = url.clone()
  copy.pathname = '/login'
  expect([copy.href, url.pathname]).toEqual(['https://site.test/docs/login?b=c', '/a'])
  copy.pathname = '/'
  expect([copy.href, copy.pathname]).toEqual(['https://site.test/docs?b=c', '/'])
})

test.each(['/docsx/a', '/'])('%s is outside /docs', (path) => {
  const url = new NextURL(path, 'https://site.test', '/docs')
  expect([url.pathname, url.basePath]).toEqual([path, ''])
})

test("a copy of a request's URL counts as the request's URL until its origin is set", () => {
  const url = NextURL.ofRequest('https://site.test/a')
  const copy = url.clone()
  copy.pathname = '/b'
  copy.search = '?c'
  expect([url, copy, copy.clone()].map(NextURL.isOfRequest)).toEqual([true, true, true])
  const others = ['href', 'protocol', 'host', 'hostname', 'port'].map((name) => {
    const written = url.clone()
    Object.assign(written, { [name]: written[name as 'href'] })
    return written
  })
  expect(others.map(({ origin }) => origin)).toEqual(others.map(() => 'https://site.test'))
  expect(others.some(NextURL.isOfRequest)).toBe(false)
  expect(others.map((each) => each.clone()).some(NextURL.isOfRequest)).toBe(false)
  expect([new NextURL(url), new URL(url), url.href].some(NextURL.isOfRequest)).toBe(false)
})
