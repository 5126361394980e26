import { isFallbackStatus, type StatusCode, type StatusTexts } from '../http/statuses.ts'
import { withBasePath } from '../shared/basePath.ts'
import { clearCookiesPath } from '../wire/protocol.ts'
import { englishStatus } from './englishStatuses.ts'
import { english, fillText, type ScreenLocale, sizeText } from './screenTexts.ts'

export type ScreenRequest = StatusScreen | ApplicationError

type StatusScreen = {
  readonly kind: 'status'
  readonly status: number
  /** For a 413, the maximum size of a request in bytes. */
  readonly limitBytes?: number | undefined
}

type ApplicationError = {
  readonly kind: 'application'
  readonly side: 'client' | 'server'
  readonly host: string
  readonly digest?: string | undefined
}

export type ScreenModel = {
  readonly lang: string
  readonly dir: 'ltr' | 'rtl'
  /** Status, shown as a large number; `null` for a screen without one. */
  readonly status: string | null
  readonly title: string
  readonly heading: string
  readonly sentence: string
  readonly digest: string | null
  readonly isLong: boolean
  /** Links, most useful first. An empty `href` leads to the current URL with its query. */
  readonly links: readonly { readonly href: string; readonly label: string }[]
  readonly back: string
  /**
   * A button that sends a POST request to `action`, for a remedy that changes something on the
   * server or in the browser.
   */
  readonly form: { readonly action: string; readonly label: string } | null
}

export function screenOfStatus(status: number): StatusScreen {
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
    sentence:
      request.limitBytes === undefined
        ? sentence
        : `${sentence} ${fillText(texts.sizeLimit, { limit: sizeText(request.limitBytes, locale) })}`,
    // A reload would send the same cookies again, so offer to delete them.
    form:
      request.status === 431
        ? { action: withBasePath(clearCookiesPath), label: texts.clearCookies }
        : null,
    // If an app can have a file for the status, a reload would probably fail again, so list the
    // home link first.
    links: isFallbackStatus(request.status) ? links.toReversed() : links,
  }
}

/**
 * Returns the model for an error in the app. A separate function, because browsers load no other
 * function in this file.
 */
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
  const base = { ...texts.otherHttp, ...englishStatus(status) }
  const written = texts.http[status as StatusCode]
  if (isFallbackStatus(status)) return { ...base, ...written, ...texts.fallbacks[status] }
  // The heading of a status without a fallback file has no full stop, so remove the one at the end
  // of the text.
  const heading = base.heading.replace(/\.$/, '')
  return { ...base, heading, ...written }
}

function common({ lang, dir, texts }: ScreenLocale) {
  const links = [
    { href: '', label: texts.reload },
    { href: withBasePath('/'), label: texts.home },
  ]
  return { lang, dir, links, back: texts.back, digest: null, isLong: false, form: null }
}
