import { type ScreenTexts, screenTexts } from './texts.ts'

/** Media type of `screenJson`. */
export const problemType = 'application/problem+json'

/** What a problem document says. */
export type Problem = {
  readonly status: number
  readonly title?: string | undefined
  readonly digest?: string | undefined
  readonly texts?: ScreenTexts | undefined
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
export function screenJson({ status, title, digest, texts = screenTexts() }: Problem): string {
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

/**
 * Tells whether a client wants JSON rather than HTML.
 * @param accept the request's `Accept`; `null` and a tie mean HTML
 * @see RFC 9110 §12.5.1
 */
export function prefersJson(accept: string | null): boolean {
  if (accept === null) return false
  const ranges = accept.split(',').map(parseRange)
  const json = Math.max(quality(ranges, 'application/json'), quality(ranges, problemType))
  return json > quality(ranges, 'text/html')
}

type Range = { readonly type: string; readonly q: number }

function parseRange(text: string): Range {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const q = parameters.find((parameter) => parameter.startsWith('q='))
  const value = q === undefined ? 1 : Number(q.slice(2))
  return { type, q: value >= 0 && value <= 1 ? value : 0 }
}

// The most specific range that covers the type decides.
function quality(ranges: readonly Range[], type: string): number {
  const family = `${type.split('/')[0]}/*`
  for (const candidate of [type, family, '*/*']) {
    const range = ranges.find((range) => range.type === candidate)
    if (range !== undefined) return range.q
  }
  return 0
}
