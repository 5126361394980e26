import { expect, test } from 'vitest'
import { formatUrl, type Url } from './url.ts'

test.each<[Url, string]>([
  ['/a?b#c', '/a?b#c'],
  [{ pathname: '/a' }, '/a'],
  [
    { pathname: '/a', query: { b: 1, c: ['x', 'y'], d: null, e: true } },
    '/a?b=1&c=x&c=y&d=&e=true',
  ],
  [{ pathname: '/a', query: 'b=1' }, '/a?b=1'],
  [{ pathname: '/a', search: 'b=1', query: { c: 2 } }, '/a?b=1'],
  [{ pathname: '/a', search: '?b=1', hash: 'end' }, '/a?b=1#end'],
  [{ pathname: '/a?b#c', query: { d: '#' } }, '/a%3Fb%23c?d=%23'],
  [{ query: { page: 2 } }, '?page=2'],
  [{ hash: '#top' }, '#top'],
  [{ protocol: 'https', hostname: 'a.test', port: 8080, pathname: 'b' }, 'https://a.test:8080/b'],
  [{ host: 'a.test' }, '//a.test'],
])('%j is written as %s', (url, expected) => expect(formatUrl(url)).toBe(expected))
