import { SignalError } from '../wire/signals.ts'

export type StatusTexts = {
  readonly heading: string
  readonly sentence: string
}

type StatusRow = Partial<StatusTexts> & {
  /** The reason phrase. @see RFC 9110 §15 */
  readonly phrase: string
  /** The app's file that replaces the built-in screen: `not-found` for its `.tsx`. */
  readonly file?: string
}

/** Used by the server only, so that browsers do not load it. */
export const statuses = {
  400: {
    phrase: 'Bad Request',
    heading: 'Bad Request',
    sentence: 'The server could not understand the request. Check the address for mistakes.',
  },
  401: {
    phrase: 'Unauthorized',
    file: 'unauthorized',
    heading: "You're not authorized to access this page.",
    sentence: 'Sign in with an account that has access, then come back.',
  },
  403: {
    phrase: 'Forbidden',
    file: 'forbidden',
    heading: 'This page could not be accessed.',
    sentence: "You don't have permission to see it.",
  },
  404: {
    phrase: 'Not Found',
    file: 'not-found',
    heading: 'This page could not be found.',
    sentence: 'The address may be mistyped, or the page may have been moved or removed.',
  },
  405: {
    phrase: 'Method Not Allowed',
    heading: 'Method Not Allowed',
    sentence: 'This address does not accept this kind of request.',
  },
  406: { phrase: 'Not Acceptable' },
  408: {
    phrase: 'Request Timeout',
    heading: 'The request took too long',
    sentence: 'It did not arrive completely. Check your connection, then try again.',
  },
  409: { phrase: 'Conflict' },
  411: { phrase: 'Length Required' },
  412: { phrase: 'Precondition Failed' },
  413: {
    phrase: 'Content Too Large',
    heading: 'This is too large to send',
    sentence:
      'Go back, and choose a smaller file or a shorter text. What you entered is still there.',
  },
  414: {
    phrase: 'URI Too Long',
    heading: 'This address is too long',
    sentence: 'Check the address for mistakes, or start from the home page.',
  },
  415: { phrase: 'Unsupported Media Type' },
  416: { phrase: 'Range Not Satisfiable' },
  417: { phrase: 'Expectation Failed' },
  422: { phrase: 'Unprocessable Content' },
  429: {
    phrase: 'Too Many Requests',
    heading: 'Too Many Requests',
    sentence: 'Wait a moment, then reload.',
  },
  431: {
    phrase: 'Request Header Fields Too Large',
    heading: 'The cookies of this site are too large',
    sentence:
      'Your browser sends more of them than the server accepts. Delete the cookies of this site to continue. You may have to sign in again.',
  },
  500: {
    phrase: 'Internal Server Error',
    heading: 'Internal Server Error',
    sentence: 'Something went wrong on the server. Reload to try again.',
  },
  501: { phrase: 'Not Implemented' },
  502: { phrase: 'Bad Gateway' },
  503: {
    phrase: 'Service Unavailable',
    heading: 'This site is busy',
    sentence: 'It cannot show the page right now. Reload in a moment.',
  },
  504: { phrase: 'Gateway Timeout' },
} as const satisfies Readonly<Record<number, StatusRow>>

type Statuses = typeof statuses

/** Statuses that Waymark has a text for. */
export type KnownStatus = keyof Statuses

/** Statuses for which an app may have a file, such as `not-found.tsx`. */
export type FallbackStatus = {
  [Status in KnownStatus]: Statuses[Status] extends { file: string } ? Status : never
}[KnownStatus]

export type FallbackFile = Statuses[FallbackStatus]['file']

export function statusRow(status: number): StatusRow | undefined {
  return (statuses as Readonly<Record<number, StatusRow>>)[status]
}

export function isFallbackStatus(status: number): status is FallbackStatus {
  return statusRow(status)?.file !== undefined
}

/** Stops the running code: 404, with the nearest `not-found` screen. @throws always */
export function notFound(): never {
  throw new SignalError({ kind: 'fallback', status: 404 })
}

/** Stops the running code: 403, with the nearest `forbidden` screen. @throws always */
export function forbidden(): never {
  throw new SignalError({ kind: 'fallback', status: 403 })
}

/** Stops the running code: 401, with the nearest `unauthorized` screen. @throws always */
export function unauthorized(): never {
  throw new SignalError({ kind: 'fallback', status: 401 })
}
