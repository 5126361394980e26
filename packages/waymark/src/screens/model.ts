import type { FallbackStatus } from '../shared/signals.ts'
import { english, type ScreenLocale } from './screenLocale.ts'
import { fillText, type ScreenTexts } from './screenTexts.ts'

/** Which screen, with what it has to say. */
export type ScreenRequest =
  | { readonly kind: 'fallback'; readonly status: FallbackStatus }
  | { readonly kind: 'http'; readonly status: number; readonly heading?: string | undefined }
  | {
      readonly kind: 'application'
      readonly side: 'client' | 'server'
      readonly host: string
      readonly digest?: string | undefined
    }

/** A screen's contents; what draws it only puts them in their places. */
export type ScreenModel = {
  readonly lang: string
  readonly dir: 'ltr' | 'rtl'
  /** The large numeral; `null` where there is no status. */
  readonly status: string | null
  /** The document's title. */
  readonly title: string
  readonly heading: string
  readonly sentence: string
  /** The whole line, such as `Digest: 01JD…`. */
  readonly digest: string | null
  /** Whether the heading is a paragraph rather than a few words. */
  readonly isLong: boolean
  /** The way out that fits best, first. */
  readonly links: readonly ScreenLink[]
  readonly back: string
}

/** A link of a screen; an empty `href` is the current URL, query included. */
export type ScreenLink = { readonly href: string; readonly label: string }

/** What an app may change about a screen. */
export type ScreenOptions = {
  /** What it is written in; English by default. */
  readonly locale?: ScreenLocale | undefined
  /** Where Home leads; `/` by default. */
  readonly home?: string | undefined
}

/** The screen that belongs to a status. */
export function screenOfStatus(status: number): ScreenRequest {
  switch (status) {
    case 401:
    case 403:
    case 404:
      return { kind: 'fallback', status }
    default:
      return { kind: 'http', status }
  }
}

/** Puts a screen's texts together. */
export function screenModel(request: ScreenRequest, options: ScreenOptions = {}): ScreenModel {
  const { locale = english, home = '/' } = options
  const { lang, dir, texts } = locale
  const reload = { href: '', label: texts.reload }
  const homeLink = { href: home, label: texts.home }
  const common = { lang, dir, back: texts.back, digest: null, isLong: false }
  switch (request.kind) {
    case 'fallback':
      // The same address would give the same answer: the way home comes first.
      return { ...common, ...statusTexts(request, texts), links: [homeLink, reload] }
    case 'http':
      return { ...common, ...statusTexts(request, texts), links: [reload, homeLink] }
    case 'application':
      return { ...common, ...applicationTexts(request, texts), links: [reload, homeLink] }
  }
}

function statusTexts(request: Exclude<ScreenRequest, { kind: 'application' }>, texts: ScreenTexts) {
  const known =
    request.kind === 'fallback'
      ? texts.fallbacks[request.status]
      : (texts.http[request.status] ?? texts.otherHttp)
  const heading = (request.kind === 'http' ? request.heading : undefined) ?? known.heading
  const status = `${request.status}`
  const title = fillText(texts.statusTitle, { status, heading })
  return { status, title, heading, sentence: known.sentence }
}

function applicationTexts(
  { side, host, digest }: Extract<ScreenRequest, { kind: 'application' }>,
  texts: ScreenTexts,
) {
  const onServer = side === 'server'
  const { heading, sentence } = onServer ? texts.serverError : texts.clientError
  return {
    status: onServer ? '500' : null,
    title: onServer ? texts.serverErrorTitle : texts.clientErrorTitle,
    heading: fillText(heading, { host }),
    sentence,
    digest: digest ? fillText(texts.digest, { digest }) : null,
    isLong: true,
  }
}
