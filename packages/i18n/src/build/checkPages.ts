import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { CheckedBuild, CheckedPage, CheckedRoute } from 'waymark/plugin'
import { defaultLocaleOf, type I18nConfig } from '../shared/config.ts'
import { directionOf } from '../shared/direction.ts'
import { createLocalizedPaths, type LocalPath } from '../shared/localizedPaths.ts'
import { isLocalPattern } from '../shared/localPattern.ts'
import { type DocumentHead, readHead } from './documentHead.ts'
import { findLine, listed, type Problem } from './problem.ts'

/** A prerendered document below `app/[locale]`. */
type LocalPage = {
  readonly pathname: string
  readonly local: LocalPath
  readonly route: CheckedRoute
  readonly head: DocumentHead
  /** Paths of the URLs that the page names for each language. */
  readonly alternates: ReadonlyMap<string, string>
}

/** A problem that several pages of a route have. */
type SharedProblem = Omit<Problem, 'text'> & {
  readonly pages: string[]
  /** @param pages such as `/de/about and 2 other pages` */
  readonly write: (pages: string) => string
}

/**
 * Finds prerendered pages that are missing in a language, that name wrong URLs in other languages,
 * or whose document names a different language.
 */
/** The parts of a build that this check reads. */
type PagesBuild = Pick<CheckedBuild, 'root' | 'basePath' | 'patternOf' | 'routes'>

export function checkPages(config: I18nConfig, build: PagesBuild): Problem[] {
  const { locales } = config
  const paths = createLocalizedPaths(config)
  const known = new Map(
    build.routes.flatMap(({ pages }) => pages.map((page) => [page.pathname, page] as const)),
  )
  const routeOf = new Map(build.routes.map((route) => [route.pattern, route]))
  const localRoutes = build.routes.filter(
    ({ kind, pattern }) => kind === 'page' && isLocalPattern(pattern),
  )
  const pages = localRoutes.flatMap((route) => route.pages.flatMap((page) => read(page, route)))
  const pageAt = new Map<string, LocalPage>()
  // `checkPathnames` reports URLs that two pages have.
  const ambiguous = new Set<string>()
  for (const page of pages) {
    if (pageAt.has(page.pathname)) ambiguous.add(page.pathname)
    pageAt.set(page.pathname, page)
  }
  const placeOf = createPlaceFinder()
  const found = new Map<string, SharedProblem>()

  function read({ pathname, status, document }: CheckedPage, route: CheckedRoute): LocalPage[] {
    const local = splitUrl(pathname)
    if (document === null || status !== 200) return []
    const head = readHead(readFileSync(document, 'utf8'))
    return [{ pathname, local, route, head, alternates: alternatePaths(head, build.basePath) }]
  }

  function splitUrl(pathname: string): LocalPath {
    const split = paths.split(pathname) ?? { locale: defaultLocaleOf(config), path: pathname }
    return { ...split, path: paths.toPage(split.locale, split.path) }
  }

  /** Says why a path isn't a page that search engines can index; `null` if it is one. */
  function whyNoPage(pathname: string): string | null {
    const page = known.get(pathname)
    if (page) return page.status === 200 ? null : `has the status ${page.status}`
    const pattern = build.patternOf(pathname)
    if (pattern !== null && !isLocalPattern(pattern)) return null
    const local = splitUrl(pathname)
    const url = paths.toUrl(local.locale, local.path)
    if (url !== pathname) return `redirects to ${url}`
    const route = routeOf.get(build.patternOf(paths.join(local.locale, local.path)) ?? '')
    const isPage = route && (route.onlyPathnames?.includes(pathname) ?? true)
    return isPage ? null : 'is not a page'
  }

  function add(page: LocalPage, place: Place, id: string, write: SharedProblem['write']): void {
    const key = `${place.file} ${id}`
    const shared = found.get(key) ?? { ...place, pages: [], write }
    shared.pages.push(page.pathname)
    found.set(key, shared)
  }

  function checkLanguage(page: LocalPage): void {
    const { lang, dir } = page.head
    const { locale } = page.local
    const place = () => placeOf(page.route.file, /<html\b/)
    if (lang === null || !isLanguage(lang, locale, locales)) {
      const has = lang === null ? 'no lang' : `lang="${lang}"`
      const write = (each: string) =>
        `<html> has ${has} on ${each}, whose language is ${locale}. Write <html {...htmlProps()}>.`
      add(page, place(), `lang ${lang} ${locale}`, write)
      return
    }
    const direction = directionOf(locale)
    if ((dir ?? 'ltr') === direction || dir === 'auto') return
    const has = dir === null ? 'no dir' : `dir="${dir}"`
    const write = (each: string) =>
      `<html> has ${has} on ${each}, although ${locale} is written from ${direction === 'rtl' ? 'right to left' : 'left to right'}. Write <html {...htmlProps()}>.`
    add(page, place(), `dir ${dir} ${locale}`, write)
  }

  function checkAlternates(page: LocalPage): void {
    const checked = new Set([page.pathname, ...ambiguous])
    for (const [language, target] of page.alternates) {
      if (checked.has(target)) continue
      checked.add(target)
      const reason = whyNoPage(target)
      const other = pageAt.get(target)
      const leadsBack = !other || [...other.alternates.values()].includes(page.pathname)
      if (reason === null && leadsBack) continue
      const place = placeOf(page.route.file, alternatesLine)
      const write = (each: string) =>
        reason === null
          ? `The alternate in ${language} of ${each} is ${target}, which doesn't name ${page.pathname} as an alternate.`
          : `The alternate in ${language} of ${each} is ${target}, which ${reason}.`
      add(page, place, `alternate ${language} ${reason === null ? 'back' : 'page'}`, write)
    }
  }

  function checkLanguages(page: LocalPage): void {
    const { alternates, local, route } = page
    const missing = locales.filter((locale) => {
      if (locale === local.locale || (alternates.size > 0 && !alternates.has(locale))) return false
      const target = alternates.get(locale) ?? paths.toUrl(locale, local.path)
      // `checkAlternates` reports targets that don't exist.
      return !known.has(target) && (alternates.size === 0 || whyNoPage(target) === null)
    })
    if (missing.length === 0) return
    const place = placeOf(route.file, /\bgenerateStaticParams\b/)
    const nulls = missing.map((locale) => `${/^\w+$/.test(locale) ? locale : `'${locale}'`}: null`)
    const isOne = missing.length === 1
    const pagesIn = `${isOne ? 'A page' : 'Pages'} in ${listed(missing)} ${isOne ? 'is' : 'are'}`
    const write = (each: string) =>
      `${pagesIn} missing for ${each}. List ${isOne ? 'it' : 'them'} in generateStaticParams. If the params differ, pass them to alternates(). If no such page exists, write alternates({ ${nulls.join(', ')} }).`
    add(page, place, `languages ${missing.join()}`, write)
  }

  for (const page of pages) {
    checkLanguage(page)
    if (ambiguous.has(page.pathname)) continue
    checkAlternates(page)
    checkLanguages(page)
  }
  return [...found.values()].map(({ file, line, pages, write }) => {
    const [first = '', ...others] = pages
    const more = others.length === 1 ? '1 other page' : `${others.length} other pages`
    return { file, line, text: write(others.length === 0 ? first : `${first} and ${more}`) }
  })
}

/** A line with `alternates` that isn't an import. */
const alternatesLine = /^(?!import\b).*\balternates\b/m

/** Returns the paths of alternates on the page's own site, without the base path. */
function alternatePaths(
  { canonical, alternates }: DocumentHead,
  basePath: string,
): ReadonlyMap<string, string> {
  const [first] = alternates.values()
  const { origin } = new URL(canonical ?? first ?? '', 'http://localhost')
  const found = new Map<string, string>()
  for (const [language, href] of alternates) {
    const url = new URL(href, origin)
    if (url.origin !== origin) continue
    const isBelow = url.pathname === basePath || url.pathname.startsWith(`${basePath}/`)
    const pathname = isBelow ? url.pathname.slice(basePath.length) : url.pathname
    found.set(language, pathname.replace(/\/$/, '') || '/')
  }
  return found
}

/** False for a different language, and for a different one of the app's languages. */
function isLanguage(lang: string, locale: string, locales: readonly string[]): boolean {
  if (lang === locale) return true
  try {
    const { language, baseName } = new Intl.Locale(lang)
    return language === new Intl.Locale(locale).language && !locales.includes(baseName)
  } catch {
    return false
  }
}

type Place = { readonly file: string; readonly line: number | null }

/**
 * Creates a function that finds a line of a page or of the closest layout around it. Pages share
 * files, so each file is searched once.
 */
function createPlaceFinder(): (page: string, pattern: RegExp) => Place {
  const known = new Map<string, Place>()
  return (page, pattern) => {
    const key = `${page} ${pattern}`
    const place = known.get(key) ?? findPlace(page, pattern)
    known.set(key, place)
    return place
  }
}

function findPlace(page: string, pattern: RegExp): Place {
  for (const file of [page, ...layoutsAround(page)]) {
    const line = findLine(file, pattern)
    if (line !== null) return { file, line }
  }
  return { file: page, line: null }
}

function layoutsAround(page: string): string[] {
  const folder = path.dirname(page)
  const layouts = ['tsx', 'jsx', 'ts', 'js'].map((type) => path.join(folder, `layout.${type}`))
  const isTop = path.basename(folder) === 'app' || folder === path.dirname(folder)
  return isTop ? layouts : [...layouts, ...layoutsAround(folder)]
}
