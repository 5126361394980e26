import { withBasePath } from '../shared/basePath.ts'
import { isFallbackStatus, type StatusTexts, statusRow } from '../shared/statuses.ts'
import { english, type ScreenLocale } from './screenLocale.ts'
import { fillText } from './screenTexts.ts'

/** Which screen, with the values in its texts. */
export type ScreenRequest = { readonly kind: 'status'; readonly status: number } | ApplicationError

/** An exception that nothing of the app has handled. */
type ApplicationError = {
  readonly kind: 'application'
  readonly side: 'client' | 'server'
  readonly host: string
  readonly digest?: string | undefined
}

/** A screen's contents, for `Screen` and `screenDocument` to lay out. */
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
  /** The best way on first. An empty `href` is the current URL, query included. */
  readonly links: readonly { readonly href: string; readonly label: string }[]
  readonly back: string
}

/** The screen that belongs to a status. */
export function screenOfStatus(status: number): ScreenRequest {
  return { kind: 'status', status }
}

/** Builds the contents of any screen. */
export function screenModel(request: ScreenRequest, locale: ScreenLocale = english): ScreenModel {
  if (request.kind === 'application') return applicationModel(request, locale)
  const { texts } = locale
  const status = String(request.status)
  const { heading, sentence } = statusTexts(request.status, locale)
  const { links, ...rest } = common(locale)
  return {
    ...rest,
    status,
    title: fillText(texts.statusTitle, { status, heading }),
    heading,
    sentence,
    // Reloading would most likely fail in the same way: the way home comes first.
    links: isFallbackStatus(request.status) ? links.toReversed() : links,
  }
}

/** Builds the contents of the screen of an exception: apart, as browsers need no other. */
export function applicationModel(
  { side, host, digest }: ApplicationError,
  locale: ScreenLocale,
): ScreenModel {
  const { texts } = locale
  const isServer = side === 'server'
  const { heading, sentence } = isServer ? texts.serverError : texts.clientError
  return {
    ...common(locale),
    status: isServer ? '500' : null,
    title: isServer ? texts.serverErrorTitle : texts.clientErrorTitle,
    heading: fillText(heading, { host }),
    sentence,
    digest: digest ? fillText(texts.digest, { digest }) : null,
    isLong: true,
  }
}

/** What a status means, in an app's words where it has some. */
export function statusTexts(status: number, { texts }: ScreenLocale): StatusTexts {
  const row = statusRow(status)
  if (isFallbackStatus(status)) return { ...texts.otherHttp, ...row, ...texts.fallbacks[status] }
  // A line of its own there, the end of a title here.
  const heading = (row?.heading ?? texts.otherHttp.heading).replace(/\.$/, '')
  return { ...texts.otherHttp, ...row, heading, ...texts.http[status] }
}

function common({ lang, dir, texts }: ScreenLocale) {
  const links = [
    { href: '', label: texts.reload },
    { href: withBasePath('/'), label: texts.home },
  ]
  return { lang, dir, links, back: texts.back, digest: null, isLong: false }
}
