import { describe, expect, it } from 'vitest'
import {
  chooseVariant,
  createAcceptedEncodings,
  type Encoding,
  parseAcceptEncoding,
} from './contentCoding.ts'

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
  ])('%j is parsed as %j', (header, expected) => {
    expect(parseAcceptEncoding(header)).toEqual(expected)
  })
})

describe('createAcceptedEncodings', () => {
  it('returns correct results if there are more headers than the cache can hold', () => {
    const accepted = createAcceptedEncodings()
    for (let i = 0; i < 1000; i++) expect(accepted(`gzip, x${i}`)).toEqual(['gzip', 'identity'])
    expect(accepted('br')).toEqual(['br', 'identity'])
  })
})

describe('chooseVariant', () => {
  it.each([
    ['br, gzip', 'br'],
    ['gzip', 'gzip'],
    ['identity;q=0, gzip', 'gzip'],
    ['gzip;q=0', 'identity'],
    ['identity;q=0, zstd', 'identity'],
  ])('%j gets %s', (header, encoding) => {
    const variant = (name: Encoding) => ({ encoding: name })
    const variants = [variant('identity'), variant('gzip'), variant('br')] as const
    expect(chooseVariant(variants, parseAcceptEncoding(header))).toEqual({ encoding })
  })
})
