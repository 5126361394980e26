import {
  actionHeader,
  besideHeader,
  changedHeader,
  idempotencyKeyHeader,
  navigationFromHeader,
  queuedHeader,
  userHeader,
} from './protocol.ts'

/** A call of a server action, as the headers of its request describe it. */
export type DescribedCall = {
  /** Id of the action. */
  readonly id: string
  /** Idempotency key: 16 to 64 letters, digits, `-` and `_`. The server runs a key once. */
  readonly key: string
  /** Pathname that decides about interceptions of the page: `page.from` of the call. */
  readonly from: string
  /** Pathnames of pages that slots still show: `page.beside` of the call. */
  readonly beside?: readonly string[]
  /** The call may be repeated days later: the server remembers for 8 days that the key has run. */
  readonly isQueued?: boolean
  /** The user of the page, as the server has sealed it; `null` for a page that names none. */
  readonly user?: string | null
}

/**
 * Writes the headers of a request that calls a server action. Send the request as a POST to the URL
 * of the page, with the encoded arguments as its body.
 */
export function callHeaders(call: DescribedCall): Record<string, string> {
  const { id, key, from, beside = [], isQueued, user } = call
  return {
    accept: 'text/x-component',
    [actionHeader]: id,
    [idempotencyKeyHeader]: key,
    ...(isQueued ? { [queuedHeader]: '1' } : {}),
    ...(user ? { [userHeader]: user } : {}),
    [navigationFromHeader]: from,
    ...(beside.length > 0 ? { [besideHeader]: beside.join(',') } : {}),
  }
}

/** The data that an action has changed on pages: `session` for cookies, `data` for revalidated data. */
export type DataChange = 'session' | 'data'

/** Reads what an action has changed from the response to its call; `null` for nothing. */
export function changeOf({ headers }: Pick<Response, 'headers'>): DataChange | null {
  const changed = headers.get(changedHeader)
  if (changed === null) return null
  // An action may change both: then the header has two lines.
  return changed.includes('session') ? 'session' : 'data'
}
