import { describe, expect, it } from 'vitest'
import { contentTypeOf, createAcceptedEncodings, parseAcceptEncoding } from './mediaTypes.ts'

describe('parseAcceptEncoding', () => {
  it.each([
    [undefined, ['identity']],
    ['', ['identity']],
    ['gzip', ['gzip', 'identity']],
    ['x-gzip', ['gzip', 'identity']],
    ['gzip, deflate, br, zstd', ['br', 'zstd', 'gzip', 'identity']],
    ['GZIP;Q=0.5, BR;q=0.4', ['gzip', 'br', 'identity']],
    ['br;q=0, gzip', ['gzip', 'identity']],
    ['br;q=0.5, identity', ['identity', 'br']],
    ['*', ['br', 'zstd', 'gzip', 'identity']],
    ['*;q=0.5, gzip', ['gzip', 'br', 'zstd', 'identity']],
    ['identity;q=0, br', ['br']],
    ['gzip, *;q=0', ['gzip']],
    ['identity;q=1, *;q=0', ['identity']],
    ['br;q=nonsense, gzip;q=2', ['identity']],
    ['deflate', ['identity']],
  ])('%j is read as %j', (header, expected) => {
    expect(parseAcceptEncoding(header)).toEqual(expected)
  })
})

describe('createAcceptedEncodings', () => {
  it('stays right beyond what it remembers', () => {
    const accepted = createAcceptedEncodings()
    for (let i = 0; i < 1000; i++) expect(accepted(`gzip, x${i}`)).toEqual(['gzip', 'identity'])
    expect(accepted('br')).toEqual(['br', 'identity'])
  })
})

describe('contentTypeOf', () => {
  it.each([
    ['a.css', 'text/css; charset=utf-8'],
    ['a.JS', 'text/javascript; charset=utf-8'],
    ['page.rsc', 'text/x-component; charset=utf-8'],
    ['favicon.ico', 'image/x-icon'],
    ['a.tar.gz', 'application/gzip'],
    ['a', 'application/octet-stream'],
    ['a.constructor', 'application/octet-stream'],
  ])('%s is %s', (file, expected) => {
    expect(contentTypeOf(file)).toBe(expected)
  })
})
