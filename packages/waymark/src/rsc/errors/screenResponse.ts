import { privateNoStore } from '../../builds/cacheControl.ts'
import { prefersJson, problemType } from '../../http/accept.ts'
import type { HandlerResponse, HeaderLines, ServerRequest } from '../../http/response.ts'
import type { Occurrence, ReportError } from '../../journal/reportError.ts'
import { englishStatuses } from '../../screens/english.ts'
import { chooseLanguage, matchLanguage } from '../../screens/language.ts'
import { type ScreenRequest, screenOfStatus } from '../../screens/model.ts'
import {
  documentPackageTexts,
  mergeTexts,
  type TextsByPackage,
} from '../../screens/packageTexts.ts'
import { screenDocument, screenJson } from '../../screens/screenDocument.ts'
import {
  createLocale,
  english,
  type ScreenLocale,
  type ScreenTextOverrides,
  textsOf500,
} from '../../screens/screenTexts.ts'
import { withoutBasePath } from '../../shared/basePath.ts'
import type { ThemeConfig } from '../../theme/config.ts'
import { localeBlockId } from '../../wire/documentMarks.ts'
import { digestHeader } from '../../wire/protocol.ts'
import { signalOf } from '../../wire/signals.ts'
import { redirectResponse } from '../page/pageResponse.ts'
import type { AppTheme } from '../page/pageTheme.ts'
import { statusOfFailure } from '../request/clientFailures.ts'
import { hostOf } from '../request/readRequest.ts'

export type ScreenResponseOptions = {
  readonly request: ServerRequest
  readonly theme: ThemeConfig
  readonly screens: AppScreens
  readonly headers?: HeaderLines
}

export function statusResponse(
  status: number,
  { limitBytes, ...options }: ScreenResponseOptions & { readonly limitBytes?: number | undefined },
): HandlerResponse {
  return screenResponse(status, { ...screenOfStatus(status), limitBytes }, options)
}

const pageMethods = 'GET, HEAD, OPTIONS'

/** Responds to a method that pages don't support. */
export function methodResponse(
  request: ServerRequest,
  { theme, screens }: { readonly theme: AppTheme; readonly screens: AppScreens },
): HandlerResponse {
  const headers: HeaderLines = [['allow', pageMethods]]
  if (request.method === 'OPTIONS') return { status: 204, headers, body: null }
  return statusResponse(405, { request, theme: theme.config, screens, headers })
}

/** Responds to a guard's signal, or to an error outside of any page. */
export function thrownResponse(
  thrown: unknown,
  at: Occurrence &
    ScreenResponseOptions &
    Parameters<typeof statusOfFailure>[1] & {
      readonly kind: 'document' | 'data'
      readonly report: ReportError
      readonly buildId: string
    },
): HandlerResponse {
  const signal = signalOf(thrown)
  if (signal?.kind === 'redirect') return redirectResponse(signal, at.kind, at.buildId)
  if (signal) return statusResponse(signal.status, at)
  const digest = at.report(thrown, { ...at, responseStatus: 500 })
  if (statusOfFailure(thrown, at) === 400) return statusResponse(400, at)
  const host = hostOf(at.request.origin)
  const screen: ScreenRequest = { kind: 'application', side: 'server', host, digest }
  return screenResponse(500, screen, { ...at, headers: [[digestHeader, digest]] })
}

function screenResponse(
  status: number,
  screen: ScreenRequest,
  { request, theme, screens, headers = [] }: ScreenResponseOptions,
): HandlerResponse {
  const [path = '/'] = request.target.split('?', 1)
  const pathname = withoutBasePath(path) ?? '/'
  const locale = screens.localeOf({ request, pathname, isPrerender: false })
  const { type, text } = screenBody(status, screen, { headers: request.headers, locale, theme })
  const common: HeaderLines = [...privateNoStore, ['vary', 'accept'], ...headers]
  return { status, headers: [['content-type', type], ...common], body: text }
}

function screenBody(
  status: number,
  screen: ScreenRequest,
  { headers, locale, theme }: { headers: Headers; locale: ScreenLocale; theme: ThemeConfig },
): { readonly type: string; readonly text: string } {
  if (prefersJson(headers.get('accept'))) {
    const digest = screen.kind === 'application' ? screen.digest : undefined
    return { type: problemType, text: screenJson({ status, digest, locale }) }
  }
  return { type: 'text/html; charset=utf-8', text: screenDocument({ screen, theme, locale }) }
}

type Headers = { get(name: string): string | null }

/**
 * Creates the body of a response that doesn't come from the handler, because the server is
 * overloaded or the handler failed.
 */
export function createRefusalScreen(app: {
  readonly theme: AppTheme
  readonly screens: AppScreens
}) {
  // An overloaded server sends the same few bodies to most of its clients.
  const bodies = new Map<string, ReturnType<typeof screenBody>>()
  return (status: number, headers: Headers) => {
    const locale = app.screens.localeOf({ request: { headers }, pathname: '/', isPrerender: false })
    const key = `${status} ${locale.lang} ${prefersJson(headers.get('accept'))}`
    const body =
      bodies.get(key) ??
      screenBody(status, screenOfStatus(status), { headers, locale, theme: app.theme.config })
    bodies.set(key, body)
    return body
  }
}

/** The exports of an app's `screens.ts`: texts for the built-in screens and notices. */
export type Screens = {
  /**
   * Texts, keyed by BCP 47 language tag. Texts that aren't listed stay English. In a list of tables,
   * such as a translation and the app's own texts, later texts win. The languages listed here also
   * apply to packages, so `{ de: {} }` enables the German texts of all packages.
   */
  readonly texts?: Readonly<Record<string, ScreenTextOverrides | readonly ScreenTextOverrides[]>>
  /**
   * A key of `texts`, or `en`. Used for prerendered pages, and for requests that match no key of
   * `texts`.
   */
  readonly defaultLanguage?: string
  /**
   * Selects the language for a request. Default: the language of the page, if a package such as
   * `@waymark/i18n` knows it; otherwise the best match for `accept-language`.
   * @returns a key of `texts`, or `en`, or a more special language, such as `de-AT` for `de`
   */
  readonly language?: (request: ScreensRequest) => string | null | undefined
}

export type ScreensRequest = {
  /** The pathname in the address bar, without the query. */
  readonly pathname: string
  /** Headers of the request. During prerendering, `get` always returns `null`. */
  readonly headers: { get(name: string): string | null }
}

export type AppScreens = {
  localeOf(request: LocaleRequest): ScreenLocale
  /**
   * Returns HTML for the head with the texts that scripts need; empty if the app has no texts of
   * its own.
   */
  headOf(request: LocaleRequest): string
}

type LocaleRequest = {
  readonly request: { readonly headers: ScreensRequest['headers'] }
  readonly pathname: string
  readonly isPrerender: boolean
}

const noHeaders = { get: () => null }

/**
 * @param packageTexts texts of the packages that the app's configuration lists
 * @param languageOf returns the language of the page at a pathname, if a package knows it
 */
export function createAppScreens(
  screens: Screens | null,
  packageTexts: TextsByPackage,
  log: (message: string, ...thrown: unknown[]) => void,
  languageOf: (pathname: string) => string | null = () => null,
): AppScreens {
  if (screens === null) return { localeOf: () => english, headOf: () => '' }
  const { texts = {}, defaultLanguage = 'en', language } = screens
  const locales = new Map<string, ScreenLocale>([['en', english]])
  const heads = new Map<string, string>()
  for (const [lang, overrides] of Object.entries(texts)) {
    const merged = mergeTables([overrides].flat())
    locales.set(lang, createLocale(lang, merged))
    heads.set(lang, headText(lang, merged, packageTexts))
  }
  for (const name of unusedPackages(texts, packageTexts)) {
    log(
      `screens.ts contains texts for ${name} that are never used: vite.config.ts lists no package of that name with texts that can be replaced. Correct the name or remove these texts.`,
    )
  }
  if (!locales.has(defaultLanguage)) {
    log(
      `screens.ts has the default language ${defaultLanguage}, but no texts for it, so English is used. Add ${JSON.stringify(defaultLanguage)}: {} to texts, with your translations.`,
    )
  }
  const byDefault = locales.get(defaultLanguage) ?? english

  function chosen({ request, pathname, isPrerender }: LocaleRequest): string | null | undefined {
    const headers = isPrerender ? noHeaders : request.headers
    if (!language) {
      const preferred = () => chooseLanguage(headers.get('accept-language'), [...locales.keys()])
      return languageOf(pathname) ?? preferred()
    }
    try {
      return language({ pathname, headers: { get: (name) => headers.get(name) } })
    } catch (thrown) {
      // If `language()` fails, use the default language, so that the screen for this error can
      // still be shown.
      log('language() in screens.ts failed.', thrown)
      return null
    }
  }

  function localeOf(request: LocaleRequest): ScreenLocale {
    const language = matchLanguage(chosen(request) ?? '', [...locales.keys()])
    return (language === null ? undefined : locales.get(language)) ?? byDefault
  }

  return { localeOf, headOf: (request) => heads.get(localeOf(request).lang) ?? '' }
}

/** Merges a language's tables, such as a translation and the app's own texts. Later texts win. */
function mergeTables(tables: readonly ScreenTextOverrides[]): ScreenTextOverrides {
  return tables.reduce<ScreenTextOverrides>((texts, table) => {
    const { http = {}, statusTitle = texts.statusTitle } = table
    // A table's texts for the status 500 also win over an earlier table's texts for errors.
    return mergeTexts(mergeTexts(texts, textsOf500({ http, statusTitle })), table)
  }, {})
}

function unusedPackages(
  texts: NonNullable<Screens['texts']>,
  packageTexts: TextsByPackage,
): ReadonlySet<string> {
  const tables = Object.values(texts).flat()
  const named = tables.flatMap(({ packages = {} }) => Object.keys(packages))
  return new Set(named.filter((name) => !Object.hasOwn(packageTexts, name)))
}

// Selects the texts to send: only those that browsers show without a server.
function headText(lang: string, texts: ScreenTextOverrides, packageTexts: TextsByPackage): string {
  const {
    http: statuses,
    otherHttp,
    serverError,
    serverErrorTitle,
    files,
    theme,
    ...others
  } = texts
  const http = textsForBrowsers(statuses)
  const packages = documentPackageTexts(lang, others.packages ?? {}, packageTexts)
  const hasPackages = Object.keys(packages).length > 0
  const sent = { ...others, http, packages: hasPackages ? packages : undefined }
  const json = JSON.stringify({ lang, texts: sent }).replaceAll('<', '\\u003c')
  return `<script type="application/json" id="${localeBlockId}">${json}</script>`
}

/** Returns the app's texts for those statuses whose screens browsers render themselves. */
function textsForBrowsers(http: ScreenTextOverrides['http'] = {}): ScreenTextOverrides['http'] {
  const written = Object.entries(http).filter(([status]) => Object.hasOwn(englishStatuses, status))
  return written.length > 0 ? Object.fromEntries(written) : undefined
}
