import { SignalError } from './signals.ts'

/** What a screen says about a status. */
export type StatusTexts = {
  /** What happened, in one line. */
  readonly heading: string
  /** What it means for the person, and what they can do. */
  readonly sentence: string
}

type StatusRow = Partial<StatusTexts> & {
  /** The protocol's own words. @see RFC 9110 §15 */
  readonly phrase: string
  /** The app's file that renders it in place of the built-in screen: `not-found` for its `.tsx`. */
  readonly file?: string
}

/**
 * All that is known of a status. Browsers get none of it: only the
 * server builds screens of a status.
 */
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
  408: { phrase: 'Request Timeout' },
  409: { phrase: 'Conflict' },
  411: { phrase: 'Length Required' },
  412: { phrase: 'Precondition Failed' },
  413: { phrase: 'Content Too Large' },
  414: { phrase: 'URI Too Long' },
  415: { phrase: 'Unsupported Media Type' },
  416: { phrase: 'Range Not Satisfiable' },
  422: { phrase: 'Unprocessable Content' },
  429: { phrase: 'Too Many Requests' },
  431: { phrase: 'Request Header Fields Too Large' },
  500: {
    phrase: 'Internal Server Error',
    heading: 'Internal Server Error',
    sentence: 'Something went wrong on the server. Reload to try again.',
  },
  501: { phrase: 'Not Implemented' },
  502: { phrase: 'Bad Gateway' },
  503: { phrase: 'Service Unavailable' },
  504: { phrase: 'Gateway Timeout' },
} as const satisfies Readonly<Record<number, StatusRow>>

type Statuses = typeof statuses

/** A status that the table knows. */
export type KnownStatus = keyof Statuses

/** A status that an app can answer with a file of its own. */
export type FallbackStatus = {
  [Status in KnownStatus]: Statuses[Status] extends { file: string } ? Status : never
}[KnownStatus]

/** The names of these files, without their extension. */
export type FallbackFile = Statuses[FallbackStatus]['file']

/** What is known of a status; `undefined` for one that is not in the table. */
export function statusRow(status: number): StatusRow | undefined {
  return (statuses as Readonly<Record<number, StatusRow>>)[status]
}

/** Tells whether an app can answer a status with a file of its own. */
export function isFallbackStatus(status: number): status is FallbackStatus {
  return statusRow(status)?.file !== undefined
}

/**
 * Ends what is running with 404 and the nearest `not-found` screen.
 * @throws always
 */
export function notFound(): never {
  throw new SignalError({ kind: 'fallback', status: 404 })
}

/**
 * Ends what is running with 403 and the nearest `forbidden` screen: the user is known, and may
 * not see this.
 * @throws always
 */
export function forbidden(): never {
  throw new SignalError({ kind: 'fallback', status: 403 })
}

/**
 * Ends what is running with 401 and the nearest `unauthorized` screen: the user is not known yet.
 * @throws always
 */
export function unauthorized(): never {
  throw new SignalError({ kind: 'fallback', status: 401 })
}
