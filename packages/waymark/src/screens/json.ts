import { statusRow } from '../shared/statuses.ts'
import { screenOfStatus, statusTexts } from './model.ts'
import { english, type ScreenLocale } from './screenLocale.ts'

/** What a problem document says. */
export type Problem = {
  readonly status: number
  readonly digest?: string | undefined
  /** Of `detail`; `title` is the protocol's own phrase. */
  readonly locale?: ScreenLocale | undefined
}

/**
 * A screen for programs: a problem document.
 * @see RFC 9457; without a `type` of one's own, `title` is the status's phrase (§4.2.1)
 */
export function screenJson({ status, digest, locale = english }: Problem): string {
  return JSON.stringify({
    type: 'about:blank',
    title: statusRow(status)?.phrase ?? locale.texts.otherHttp.heading,
    status,
    detail: statusTexts(screenOfStatus(status), locale).heading,
    ...(digest ? { digest } : {}),
  })
}
