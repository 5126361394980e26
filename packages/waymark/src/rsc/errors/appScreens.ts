import {
  chooseLanguage,
  createLocale,
  english,
  type ScreenLocale,
} from '../../screens/screenLocale.ts'
import type { ScreenTextOverrides } from '../../screens/screenTexts.ts'
import { localeBlockId } from '../../shared/documentMarks.ts'

/** What an app's `screens.ts` may export: other words for the built-in screens and notices. */
export type Screens = {
  /** By language, as BCP 47 writes it; what a language leaves out stays English. */
  readonly texts?: Readonly<Record<string, ScreenTextOverrides>>
  /** Where a request prefers none of `texts`, and for what is prerendered; default `en`. */
  readonly defaultLanguage?: string
  /**
   * Chooses the language of a request; without it, the header `accept-language` does.
   * @returns a key of `texts`, or `en`; anything else means the default
   */
  readonly language?: (request: ScreensRequest) => string | null | undefined
}

/** What the language of a request can be chosen by. */
export type ScreensRequest = {
  /** In the browser's address, without the query. */
  readonly pathname: string
  /** `null` for all of them while prerendering. */
  readonly headers: { get(name: string): string | null }
}

/** The built-in screens, as the app has them. */
export type AppScreens = {
  /** The language of the response to a request. */
  localeOf(request: LocaleRequest): ScreenLocale
  /** HTML for a document's head: the words that its scripts speak. Empty in an app without own. */
  headOf(request: LocaleRequest): string
}

type LocaleRequest = {
  readonly request: { readonly headers: ScreensRequest['headers'] }
  readonly pathname: string
  /** Whether the response is for everybody. */
  readonly isPrerender: boolean
}

const noHeaders = { get: () => null }

/**
 * Puts an app's own words into the built-in screens.
 * @param log called with what its function throws
 */
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
      // A screen is often the response to an error: it comes in some language in any case.
      log('language() in screens.ts failed.', thrown)
      return null
    }
  }

  function localeOf(request: LocaleRequest): ScreenLocale {
    return locales.get(chosen(request) ?? '') ?? byDefault
  }

  return { localeOf, headOf: (request) => heads.get(localeOf(request).lang) ?? '' }
}

// Only what a browser may have to say by itself.
function headText(lang: string, texts: ScreenTextOverrides): string {
  const { clientError, clientErrorTitle, digest, reload, back, home, notices, actions } = texts
  const own = { clientError, clientErrorTitle, digest, reload, back, home, notices, actions }
  const json = JSON.stringify({ lang, texts: own }).replaceAll('<', '\\u003c')
  return `<script type="application/json" id="${localeBlockId}">${json}</script>`
}
