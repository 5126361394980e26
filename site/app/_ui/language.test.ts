import { expect, test } from 'vitest'
import { alternatesOf, isTranslated, languageOf, linkTo, otherLanguageUrl } from './language.ts'

test.each([
  ['/', 'en'],
  ['/deployment', 'en'],
  ['/de', 'de'],
  ['/de/guide', 'de'],
])('the page %s is in the language %s', (pathname, language) => {
  expect(languageOf(pathname)).toBe(language)
})

test.each([
  ['/', '/de'],
  ['/#start', '/de#start'],
  ['/lab', '/de/lab'],
  ['/guide/routing#params', '/de/guide/routing#params'],
])('a link from a German page to %s leads to %s', (href, german) => {
  expect(linkTo(href, 'en')).toEqual({ href })
  expect(linkTo(href, 'de')).toEqual({ href: german })
})

test('a link from a German page to a page without a German frame loads a document', () => {
  for (const href of ['/lab/errors', '/reference', '/guide/routing.md', '/llms.txt']) {
    const target = { href, hrefLang: 'en', 'data-waymark-document': '' }
    expect(linkTo(href, 'de')).toEqual(target)
  }
})

test.each([
  ['/', '/de'],
  ['/de', '/'],
  ['/guide/caching', '/de/guide/caching'],
  ['/de/guide/caching', '/guide/caching'],
  ['/lab/errors', '/de/lab'],
  ['/reference/index', '/de'],
])('the other language of %s is at %s', (pathname, other) => {
  expect(otherLanguageUrl(pathname)).toBe(other)
})

test('only translated pages have alternates', () => {
  expect(isTranslated('/guide/caching')).toBe(false)
  expect(alternatesOf('/guide/caching', 'de')).toEqual({ canonical: '/guide/caching' })
  expect(alternatesOf('/guide/routing', 'de')).toEqual({
    canonical: '/de/guide/routing',
    languages: {
      en: '/guide/routing',
      de: '/de/guide/routing',
      'x-default': '/guide/routing',
    },
  })
})
