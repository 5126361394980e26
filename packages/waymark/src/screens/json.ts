import { statusRow } from '../shared/statuses.ts'
import { statusTexts } from './model.ts'
import { english, type ScreenLocale } from './screenLocale.ts'

/**
 * A screen for programs: a problem document.
 * @param problem `locale`: of `detail`; `title` is the protocol's own phrase
 * @see RFC 9457; without a `type` of one's own, `title` is the status's phrase (§4.2.1)
 */
export function screenJson({
  status,
  digest,
  locale = english,
}: {
  readonly status: number
  readonly digest?: string | undefined
  readonly locale?: ScreenLocale | undefined
}): string {
  return JSON.stringify({
    type: 'about:blank',
    title: statusRow(status)?.phrase ?? locale.texts.otherHttp.heading,
    status,
    detail: statusTexts(status, locale).heading,
    ...(digest ? { digest } : {}),
  })
}
