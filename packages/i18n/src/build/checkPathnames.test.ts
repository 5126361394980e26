import { expect, test } from 'vitest'
import type { I18nConfig, Pathnames } from '../shared/config.ts'
import { checkPathnames } from './checkPathnames.ts'

const patterns = [
  '/[locale]',
  '/[locale]/about',
  '/[locale]/contact',
  '/[locale]/posts/[slug]',
  '/[locale]/docs/[[...path]]',
]

function check(pathnames: Pathnames): string[] {
  const config: I18nConfig = {
    locales: ['en', 'de'],
    prefix: 'always',
    timeZone: 'UTC',
    pathnames,
  }
  const routes = patterns.map((pattern) => ({
    pattern,
    kind: 'page' as const,
    file: `/app${pattern}/page.tsx`,
    layouts: [],
    screens: [],
    pages: [],
    onlyPathnames: null,
  }))
  const patternOf = (path: string) =>
    patterns.find((pattern) => {
      const source = pattern
        .replace(/\/\[\[\.\.\.\w+\]\]/g, '(?:/.+)?')
        .replace(/\[\w+\]/g, '[^/]+')
      return new RegExp(`^${source}$`).test(path)
    }) ?? null
  return checkPathnames(config, { routes, patternOf }).map(({ entry, text }) => `${entry}: ${text}`)
}

test.each<[Pathnames, string[]]>([
  [{ '/about': { de: '/ueber-uns' }, '/posts/[slug]': { de: '/beitraege/[slug]' } }, []],
  [{ '/': { de: '/start' }, '/docs/[[...path]]': { de: '/hilfe/[[...path]]' } }, []],
  // One post may have its own URL.
  [{ '/posts/new': { de: '/neuer-beitrag' } }, []],
  [
    { '/abuot': { de: '/ueber-uns' } },
    ['/abuot: pathnames has /abuot, but the app has no such page.'],
  ],
  [
    { '/about': { de: '/info' }, '/contact': { de: '/info' } },
    ['/contact: In de, the pages /about and /contact both have the URL /info.'],
  ],
  [
    { '/about': { de: '/contact' } },
    ['/about: In de, the pages /about and /contact both have the URL /contact.'],
  ],
  [{ '/about': { de: '/contact' }, '/contact': { de: '/about' } }, []],
  // The route may name its param differently.
  [{ '/posts/[id]': { en: '/articles/[id]' } }, []],
])('%j', (pathnames, problems) => {
  expect(check(pathnames)).toEqual(problems)
})
