import { withBasePath } from '../shared/basePath.ts'
import { isFallbackStatus, type StatusTexts, statusRow } from '../shared/statuses.ts'
import { english, fillText, type ScreenLocale } from './screenTexts.ts'

export type ScreenRequest = { readonly kind: 'status'; readonly status: number } | ApplicationError

type ApplicationError = {
  readonly kind: 'application'
  readonly side: 'client' | 'server'
  readonly host: string
  readonly digest?: string | undefined
}

export type ScreenModel = {
  readonly lang: string
  readonly dir: 'ltr' | 'rtl'
  /** The large numeral; `null` without a status. */
  readonly status: string | null
  readonly title: string
  readonly heading: string
  readonly sentence: string
  readonly digest: string | null
  readonly isLong: boolean
  /** Best link first. An empty `href` is the current URL, with its query. */
  readonly links: readonly { readonly href: string; readonly label: string }[]
  readonly back: string
}

export function screenOfStatus(status: number): ScreenRequest {
  return { kind: 'status', status }
}

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
    // Reloading would likely fail again, so the home link comes first.
    links: isFallbackStatus(request.status) ? links.toReversed() : links,
  }
}

/** Separate, because browsers need only this screen. */
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
