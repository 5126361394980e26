import {
  actionHeader,
  besideHeader,
  changedHeader,
  idempotencyKeyHeader,
  navigationFromHeader,
  queuedHeader,
  userHeader,
} from './protocol.ts'

/** A call to a server action, as its request's headers describe it. */
export type DescribedCall = {
  /** Id of the action. */
  readonly id: string
  /** Idempotency key: 16 to 64 letters, digits, `-` and `_`. The server runs each key only once. */
  readonly key: string
  /** Pathname from which the user navigates. It decides which interceptions apply. */
  readonly from: string
  /** Pathnames of other pages that slots still show. */
  readonly beside?: readonly string[]
  /**
   * True if the call may be repeated days later. The server then remembers for 8 days that it ran.
   */
  readonly isQueued?: boolean
  /** Encrypted user for whom the server rendered the page. `null` for a page without a user. */
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

/**
 * Kind of data that an action changed on pages: `session` for cookies, `data` for revalidated data.
 */
export type DataChange = 'session' | 'data'

/**
 * Reads from the response to a call which kind of data the action changed.
 * @returns `null` if the action didn't change data
 */
export function changeOf({ headers }: Pick<Response, 'headers'>): DataChange | null {
  const changed = headers.get(changedHeader)
  if (changed === null) return null
  // If an action changed both kinds, the response has the header twice, and the browser joins the
  // values.
  return changed.includes('session') ? 'session' : 'data'
}
