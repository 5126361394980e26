import { describe, expect, test } from 'vitest'
import { FrameworkError } from '../shared/errors.ts'
import { type FolderSegment, parseSegment, patternOf, type UrlSegment } from './segment.ts'

const photo = { kind: 'static', name: 'photo' } as const

describe('a folder name', () => {
  test.each<[string, FolderSegment]>([
    ['blog', { kind: 'static', name: 'blog' }],
    ['.well-known', { kind: 'static', name: '.well-known' }],
    ['café', { kind: 'static', name: 'café' }],
    ['a b', { kind: 'static', name: 'a b' }],
    ['v(1)', { kind: 'static', name: 'v(1)' }],
    ['%5Fnotes', { kind: 'static', name: '_notes' }],
    ['%5Bid%5D', { kind: 'static', name: '[id]' }],
    ['%28a%29', { kind: 'static', name: '(a)' }],
    ['%40me', { kind: 'static', name: '@me' }],
    ['__proto__', { kind: 'static', name: '__proto__' }],
    ['[id]', { kind: 'dynamic', param: 'id' }],
    ['[post-id]', { kind: 'dynamic', param: 'post-id' }],
    ['[größe]', { kind: 'dynamic', param: 'größe' }],
    ['[...path]', { kind: 'rest', param: 'path' }],
    ['[[...path]]', { kind: 'optional-rest', param: 'path' }],
    ['(shop)', { kind: 'group', name: 'shop' }],
    ['(shop.v2)', { kind: 'group', name: 'shop.v2' }],
    ['@modal', { kind: 'slot', name: 'modal' }],
    ['(.)photo', { kind: 'intercept', up: 0, target: photo }],
    ['(..)photo', { kind: 'intercept', up: 1, target: photo }],
    ['(..)(..)photo', { kind: 'intercept', up: 2, target: photo }],
    ['(...)photo', { kind: 'intercept', up: 'root', target: photo }],
    ['(.)[id]', { kind: 'intercept', up: 0, target: { kind: 'dynamic', param: 'id' } }],
    ['(.)[...all]', { kind: 'intercept', up: 0, target: { kind: 'rest', param: 'all' } }],
  ])('%s is parsed', (name, segment) => {
    expect(parseSegment(name, `app/${name}`)).toEqual(segment)
  })

  test.each([
    '',
    '[]',
    '[id',
    'id]',
    '[id]x',
    'x[id]',
    '[[id]]',
    '[...]',
    '[[...]]',
    '[..path]',
    '[....path]',
    '[...path]]',
    '[a.b]',
    '[a b]',
    '[a:b]',
    '[a,b]',
    '[__proto__]',
    '[...__proto__]',
    '()',
    '(.)',
    '(..)',
    '(...)',
    '(....)x',
    '(shop',
    '(shop)x',
    '((a))',
    '@',
    '@__proto__',
    '@1st',
    '@a b',
    'a\\b',
    'a\u0000b',
    'a\nb',
    '100%',
    '%ff',
    'a%2Fb',
    'a%5cb',
    '%00',
    '%2e%2e',
    '%252f',
    '\ud800',
    '(.)@slot',
    '(.)[id',
  ])('%j is refused', (name) => {
    expect(() => parseSegment(name, `app/${name}`)).toThrow(FrameworkError)
    expect(() => parseSegment(name, `app/${name}`)).toThrow(/SEGMENT_NAME/)
  })
})

describe('a pattern', () => {
  test.each<[UrlSegment[], string]>([
    [[], '/'],
    [[photo, { kind: 'dynamic', param: 'id' }], '/photo/[id]'],
    [[{ kind: 'rest', param: 'all' }], '/[...all]'],
    [[{ kind: 'optional-rest', param: 'all' }], '/[[...all]]'],
    [[{ kind: 'static', name: '[id]' }], '/%5Bid%5D'],
    [[{ kind: 'static', name: 'café?' }], '/café%3F'],
  ])('is formatted from %j', (segments, pattern) => {
    expect(patternOf(segments)).toBe(pattern)
  })
})
