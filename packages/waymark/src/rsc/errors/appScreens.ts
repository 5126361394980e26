import type { ScreenTextOverrides } from '../../screens/screenTexts.ts'
import {
  chooseLanguage,
  createLocale,
  english,
  type ScreenLocale,
} from '../../screens/screenTexts.ts'
import { localeBlockId } from '../../shared/documentMarks.ts'

/** Exports of an app's `screens.ts`: texts for the built-in screens and notices. */
export type Screens = {
  /** By BCP 47 language tag; missing texts stay English. */
  readonly texts?: Readonly<Record<string, ScreenTextOverrides>>
  /** For a request without a match in `texts`, and for prerendered pages; default `en`. */
  readonly defaultLanguage?: string
  /** Selects the language; default: by `accept-language`. @returns a key of `texts`, or `en` */
  readonly language?: (request: ScreensRequest) => string | null | undefined
}

/** Input for the choice of a language. */
export type ScreensRequest = {
  /** In the browser's address, without the query. */
  readonly pathname: string
  /** `get` returns `null` while prerendering. */
  readonly headers: { get(name: string): string | null }
}

export type AppScreens = {
  localeOf(request: LocaleRequest): ScreenLocale
  /** HTML for the head with the texts of its scripts. Empty without own texts. */
  headOf(request: LocaleRequest): string
}

type LocaleRequest = {
  readonly request: { readonly headers: ScreensRequest['headers'] }
  readonly pathname: string
  readonly isPrerender: boolean
}

const noHeaders = { get: () => null }

export function createAppScreens(
  screens: Screens | null,
  log: (message: string, thrown: unknown) => void,
): AppScreens {
  if (screens === null) return { localeOf: () => english, headOf: () => '' }
  const { texts = {}, defaultLanguage = 'en', language } = screens
  const locales = new Map<string, ScreenLocale>([['en', english]])
  const heads = new Map<string, string>()
  for (const [lang, own] of Object.entries(texts)) {
    locales.set(lang, createLocale(lang, own))
    heads.set(lang, headText(lang, own))
  }
  const byDefault = locales.get(defaultLanguage) ?? english

  function chosen({ request, pathname, isPrerender }: LocaleRequest): string | null | undefined {
    const headers = isPrerender ? noHeaders : request.headers
    if (!language) return chooseLanguage(headers.get('accept-language'), [...locales.keys()])
    try {
      return language({ pathname, headers: { get: (name) => headers.get(name) } })
    } catch (thrown) {
      // The screen often reports an error already, so it is shown in some language.
      log('language() in screens.ts failed.', thrown)
      return null
    }
  }

  function localeOf(request: LocaleRequest): ScreenLocale {
    return locales.get(chosen(request) ?? '') ?? byDefault
  }

  return { localeOf, headOf: (request) => heads.get(localeOf(request).lang) ?? '' }
}

// Only texts that a browser needs without the server.
function headText(lang: string, texts: ScreenTextOverrides): string {
  const { clientError, clientErrorTitle, digest, reload, back, home, notices, actions } = texts
  const own = { clientError, clientErrorTitle, digest, reload, back, home, notices, actions }
  const json = JSON.stringify({ lang, texts: own }).replaceAll('<', '\\u003c')
  return `<script type="application/json" id="${localeBlockId}">${json}</script>`
}
