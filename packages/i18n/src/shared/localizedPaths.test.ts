import { describe, expect, test } from 'vitest'
import type { I18nConfig } from './config.ts'
import { createLocalizedPaths } from './localizedPaths.ts'
import { encodeSegment, parsePattern } from './pathPattern.ts'

const config: I18nConfig = {
  locales: ['en', 'de', 'pt-BR'],
  prefix: 'always',
  timeZone: 'UTC',
  pathnames: {
    '/about': { de: '/über-uns' },
    '/posts/new': { de: '/beitraege/neu' },
    '/posts/[slug]': { de: '/beitraege/[slug]' },
    '/docs/[[...path]]': { de: '/hilfe/[[...path]]', 'pt-BR': '/ajuda/[[...path]]' },
    '/a.b/[x]/c': { de: '/c/[x]' },
  },
}
const always = createLocalizedPaths(config)
const asNeeded = createLocalizedPaths({ ...config, prefix: 'as-needed' })

describe('a path of a page', () => {
  test.each([
    ['en', '/about', '/en/about'],
    ['de', '/about', '/de/%C3%BCber-uns'],
    ['de', '/', '/de'],
    ['de', '/posts/new', '/de/beitraege/neu'],
    ['de', '/posts/a%2Fb', '/de/beitraege/a%2Fb'],
    ['de', '/posts/a/b', '/de/posts/a/b'],
    ['de', '/docs', '/de/hilfe'],
    ['pt-BR', '/docs/a/b', '/pt-BR/ajuda/a/b'],
    ['de', '/a.b/1/c', '/de/c/1'],
    ['de', '/aXb/1/c', '/de/aXb/1/c'],
  ])('in %s of %s becomes %s and back', (locale, path, url) => {
    expect(always.toUrl(locale, path)).toBe(url)
    const local = always.split(url)
    expect(local?.locale).toBe(locale)
    expect(always.toPage(locale, local?.path ?? '')).toBe(path)
  })

  test('has no language in the default language, if it is needed only for others', () => {
    expect(asNeeded.toUrl('en', '/about')).toBe('/about')
    expect(asNeeded.toUrl('en', '/')).toBe('/')
    expect(asNeeded.toUrl('de', '/')).toBe('/de')
    expect(asNeeded.toUrl('en', '/de')).toBe('/en/de')
    expect(asNeeded.toUrl('en', '/EN/x')).toBe('/en/EN/x')
  })
})

test('a language is found in any case, and only as the whole first segment', () => {
  expect(always.split('/PT-br/x')).toEqual({ locale: 'pt-BR', path: '/x' })
  for (const path of ['/', '/dex', '/x/de', '/constructor', '/de%20', '//de']) {
    expect(always.split(path), path).toBeNull()
  }
})

test('a pattern does not read names that every object has', () => {
  const pattern = parsePattern('/[toString]/[...rest]')
  expect(pattern.match('/a')).toBeNull()
  expect(pattern.fill({ rest: 'b/c' })).toBe('/b/c')
})

test.each([
  ['a:b,c', 'a:b,c'],
  ['a/b?c#d', 'a%2Fb%3Fc%23d'],
  ['ä 100%', '%C3%A4%20100%25'],
])('the segment %s is encoded as in a canonical path', (text, encoded) => {
  expect(encodeSegment(text)).toBe(encoded)
})
