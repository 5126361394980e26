import { SignalError } from '../wire/signals.ts'

/** Texts on the built-in screen for a status. */
export type StatusTexts = {
  readonly heading: string
  readonly sentence: string
}

type StatusRow = {
  /** The status's reason phrase. @see RFC 9110 §15 */
  readonly phrase: string
  /** Role of the app's file that replaces the built-in screen, such as `not-found`. */
  readonly file?: string
}

/** The screens' English texts are in `screens/english.ts`. */
export const statuses = {
  400: { phrase: 'Bad Request' },
  401: { phrase: 'Unauthorized', file: 'unauthorized' },
  403: { phrase: 'Forbidden', file: 'forbidden' },
  404: { phrase: 'Not Found', file: 'not-found' },
  405: { phrase: 'Method Not Allowed' },
  406: { phrase: 'Not Acceptable' },
  408: { phrase: 'Request Timeout' },
  409: { phrase: 'Conflict' },
  411: { phrase: 'Length Required' },
  412: { phrase: 'Precondition Failed' },
  413: { phrase: 'Content Too Large' },
  414: { phrase: 'URI Too Long' },
  415: { phrase: 'Unsupported Media Type' },
  416: { phrase: 'Range Not Satisfiable' },
  417: { phrase: 'Expectation Failed' },
  422: { phrase: 'Unprocessable Content' },
  429: { phrase: 'Too Many Requests' },
  431: { phrase: 'Request Header Fields Too Large' },
  500: { phrase: 'Internal Server Error' },
  501: { phrase: 'Not Implemented' },
  502: { phrase: 'Bad Gateway' },
  503: { phrase: 'Service Unavailable' },
  504: { phrase: 'Gateway Timeout' },
} as const satisfies Readonly<Record<number, StatusRow>>

type Statuses = typeof statuses

export type StatusCode = keyof Statuses

/** Statuses for which an app may have a file, such as `not-found.tsx`. */
export type FallbackStatus = {
  [Status in StatusCode]: Statuses[Status] extends { file: string } ? Status : never
}[StatusCode]

export type FallbackFile = Statuses[FallbackStatus]['file']

export function statusRow(status: number): StatusRow | undefined {
  return (statuses as Readonly<Record<number, StatusRow>>)[status]
}

export function isFallbackStatus(status: number): status is FallbackStatus {
  return statusRow(status)?.file !== undefined
}

/** Stops the running code and shows the nearest `not-found` screen, with status 404. @throws always */
export function notFound(): never {
  throw new SignalError({ kind: 'fallback', status: 404 })
}

/** Stops the running code and shows the nearest `forbidden` screen, with status 403. @throws always */
export function forbidden(): never {
  throw new SignalError({ kind: 'fallback', status: 403 })
}

/** Stops the running code and shows the nearest `unauthorized` screen, with status 401. @throws always */
export function unauthorized(): never {
  throw new SignalError({ kind: 'fallback', status: 401 })
}
