import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { I18nConfig } from '../shared/config.ts'
import { checkPages } from './checkPages.ts'
import { problemLine } from './problem.ts'

const always: I18nConfig = {
  locales: ['en', 'de', 'ar'],
  prefix: 'always',
  pathnames: { '/about': { de: '/ueber-uns' } },
  timeZone: 'UTC',
}

type Page = {
  readonly lang?: string
  readonly dir?: string
  readonly status?: number
  readonly canonical?: string
  /** URLs of alternates by language. */
  readonly to?: Readonly<Record<string, string>>
}

type Route = {
  readonly pages: Readonly<Record<string, Page>>
  readonly onlyPathnames?: readonly string[]
}

/** Checks documents of routes, by pattern. */
function check(
  routes: Readonly<Record<string, Route>>,
  { config = always, basePath = '' }: { config?: I18nConfig; basePath?: string } = {},
): string[] {
  const root = mkdtempSync(path.join(tmpdir(), 'waymark-pages-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  let count = 0
  const build: Parameters<typeof checkPages>[1] = {
    root,
    basePath,
    patternOf: (pathname) => {
      const matches = (pattern: string) =>
        new RegExp(`^${pattern.replace(/\[\w+\]/g, '[^/]+')}$`).test(pathname)
      return Object.keys(routes).find(matches) ?? null
    },
    routes: Object.entries(routes).map(([pattern, { pages, onlyPathnames = null }]) => {
      const file = path.join(root, `app${pattern}`, 'page.tsx')
      mkdirSync(path.dirname(file), { recursive: true })
      writeFileSync(file, '')
      writeFileSync(path.join(root, 'app/[locale]/layout.tsx'), layout)
      return {
        pattern,
        kind: 'page',
        file,
        layouts: [],
        screens: [],
        onlyPathnames,
        pages: Object.entries(pages).map(([pathname, page]) => {
          const document = path.join(root, `${count++}.html`)
          writeFileSync(document, documentOf(page))
          return { pathname, status: page.status ?? 200, document }
        }),
      }
    }),
  }
  return checkPages(config, build).map((problem) => problemLine(problem, root))
}

const layout = `import { alternates } from '@waymark/i18n/server'
export const generateStaticParams = localeParams
export const generateMetadata = () => ({ alternates: alternates() })
export default () => <html {...htmlProps()} />
`

function documentOf({ lang, dir, canonical, to = {} }: Page): string {
  const attributes = [lang && ` lang="${lang}"`, dir && ` dir="${dir}"`].filter(Boolean).join('')
  const links = Object.entries(to).map(
    ([language, href]) => `<link rel="alternate" href="${href}" hrefLang="${language}"/>`,
  )
  const own = canonical ? `<link rel="canonical" href="${canonical}"/>` : ''
  const elsewhere = '<link rel="alternate" hrefLang="de" href="/body"/>'
  return `<!DOCTYPE html><html${attributes}><head>${own}${links.join('')}</head><body>${elsewhere}</body></html>`
}

const about = { en: '/en/about', de: '/de/ueber-uns', ar: '/ar/about' }
const inAll = (to: Page['to'] = about): Route['pages'] => ({
  '/en/about': { lang: 'en', to },
  '/de/ueber-uns': { lang: 'de', dir: 'ltr', to },
  '/ar/about': { lang: 'ar', dir: 'rtl', to },
})

test('pages that name each other have no problems', () => {
  expect(check({ '/[locale]/about': { pages: inAll() } })).toEqual([])
  expect(check({ '/[locale]/about': { pages: inAll({}) } })).toEqual([])
})

test('absolute URLs and a base path are read', () => {
  const absolute = Object.fromEntries(
    Object.entries(about).map(([language, to]) => [language, `https://example.com/docs${to}`]),
  )
  const pages = inAll(absolute)
  expect(check({ '/[locale]/about': { pages } }, { basePath: '/docs' })).toEqual([])
})

test('alternates of other sites are ignored', () => {
  const to = { en: 'https://a.example/en/about', de: 'https://b.example/x' }
  const pages = { '/en/about': { lang: 'en', canonical: 'https://a.example/en/about', to } }
  expect(check({ '/[locale]/about': { pages } })).toEqual([])
})

test('a URL without a prefix is in the default language', () => {
  const config: I18nConfig = { ...always, prefix: 'as-needed', locales: ['en', 'de'] }
  const pages = {
    '/about': { lang: 'en', to: { en: '/about', de: '/de/ueber-uns' } },
    '/de/ueber-uns': { lang: 'de', to: { en: '/en/about', de: '/de/ueber-uns' } },
  }
  expect(check({ '/[locale]/about': { pages } }, { config })).toEqual([
    "app/[locale]/layout.tsx:3: The alternate in de of /about is /de/ueber-uns, which doesn't name /about as an alternate.",
    'app/[locale]/layout.tsx:3: The alternate in en of /de/ueber-uns is /en/about, which redirects to /about.',
  ])
})

test('the language and the direction of documents are checked', () => {
  const pages = {
    '/en/about': { lang: 'en-GB', to: about },
    '/de/ueber-uns': { lang: 'en', to: about },
    '/ar/about': { lang: 'ar', to: about },
  }
  expect(check({ '/[locale]/about': { pages } })).toEqual([
    'app/[locale]/layout.tsx:4: <html> has lang="en" on /de/ueber-uns, whose language is de. Write <html {...htmlProps()}>.',
    'app/[locale]/layout.tsx:4: <html> has no dir on /ar/about, although ar is written from right to left. Write <html {...htmlProps()}>.',
  ])
})

test('one language is not another one of the same family', () => {
  const config: I18nConfig = { ...always, locales: ['pt-BR', 'pt-PT'], pathnames: {} }
  const pages = { '/pt-BR/a': { lang: 'pt' }, '/pt-PT/a': { lang: 'pt-BR' } }
  expect(check({ '/[locale]/a': { pages } }, { config })).toEqual([
    'app/[locale]/layout.tsx:4: <html> has lang="pt-BR" on /pt-PT/a, whose language is pt-PT. Write <html {...htmlProps()}>.',
  ])
})

test.each([
  ['/en/nothing/at/all', {}, 'is not a page'],
  ['/en/error', { '/en/error': { status: 404 } }, 'has the status 404'],
  ['/en/moved', { '/en/moved': { status: 308 } }, 'has the status 308'],
  ['/de/about', {}, 'redirects to /de/ueber-uns'],
])('an alternate that leads to %s', (target, others, reason) => {
  const to = { en: '/en/about', de: target }
  const routes = {
    '/[locale]/about': { pages: { '/en/about': { lang: 'en', to } } },
    '/[locale]/[slug]': { pages: others, onlyPathnames: [] },
  }
  expect(check(routes)).toEqual([
    `app/[locale]/layout.tsx:3: The alternate in de of /en/about is ${target}, which ${reason}.`,
  ])
})

test('a page that is rendered for each request is a page', () => {
  const pages = { '/en/about': { lang: 'en', to: { en: '/en/about', de: '/de/posts' } } }
  const dynamic = { '/[locale]/about': { pages }, '/[locale]/posts': { pages: {} } }
  const [problem] = check(dynamic)
  expect(problem).toContain('A page in de is missing for /en/about.')
})

test('a page that is missing in a language is named, unless it says so', () => {
  const pages = { '/en/about': { lang: 'en' }, '/ar/about': { lang: 'ar', dir: 'rtl' } }
  expect(check({ '/[locale]/about': { pages } })).toEqual([
    'app/[locale]/layout.tsx:2: A page in de is missing for /en/about and 1 other page. List it in generateStaticParams. If the params differ, pass them to alternates(). If no such page exists, write alternates({ de: null }).',
  ])
  const to = { en: '/en/about', ar: '/ar/about' }
  const named = { '/en/about': { lang: 'en', to }, '/ar/about': { lang: 'ar', dir: 'rtl', to } }
  expect(check({ '/[locale]/about': { pages: named } })).toEqual([])
})
