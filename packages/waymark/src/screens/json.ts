import { english, type ScreenLocale } from './screenLocale.ts'
import type { ScreenTexts } from './screenTexts.ts'

/** What a problem document says. */
export type Problem = {
  readonly status: number
  readonly title?: string | undefined
  readonly digest?: string | undefined
  /** Of `detail`; `title` is the protocol's own word. */
  readonly locale?: ScreenLocale | undefined
}

const phrases: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  408: 'Request Timeout',
  409: 'Conflict',
  411: 'Length Required',
  413: 'Content Too Large',
  414: 'URI Too Long',
  415: 'Unsupported Media Type',
  416: 'Range Not Satisfiable',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  501: 'Not Implemented',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
}

/**
 * A screen for machines: a problem document.
 * @see RFC 9457; without a `type` of one's own, `title` is the status's phrase (§4.2.1)
 */
export function screenJson({ status, title, digest, locale = english }: Problem): string {
  const { texts } = locale
  const phrase = title ?? phrases[status] ?? texts.otherHttp.heading
  const detail = (texts.fallbacks as ScreenTexts['http'])[status] ?? texts.http[status]
  return JSON.stringify({
    type: 'about:blank',
    title: phrase,
    status,
    detail: (detail ?? texts.otherHttp).heading,
    ...(digest ? { digest } : {}),
  })
}
