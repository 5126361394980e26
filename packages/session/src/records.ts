import type { Cookies } from 'waymark/server'

/** Times after which a session ends, in milliseconds. */
export type Lifetime = {
  /** Time without use. */
  readonly idleMs: number
  /** Time since the sign-in; `null` without this limit. */
  readonly maxMs: number | null
}

/** A session as it was found in a cookie or a store. */
export type SessionRecord = {
  readonly id: string
  readonly userId: string | null
  readonly data: object
  readonly device: string
  readonly createdAtMs: number
  readonly seenAtMs: number
  /** False if the browser deletes the cookie when it is closed. */
  readonly isLasting: boolean
  /** Identifies the session in its store. Not shown to the app. */
  readonly handle: string
}

/** Fields of a new session. */
export type NewRecord = Pick<SessionRecord, 'userId' | 'data' | 'device' | 'isLasting'>

/** Reads and writes sessions, in a sealed cookie or in a store. */
export type Records = {
  /** @returns `null` if the value belongs to no session that is valid */
  readonly find: (cookieValue: string, jar: Cookies) => Promise<SessionRecord | null>
  /** Starts a session with a new id and a new cookie. @param former a session to end; `null` for none */
  readonly create: (
    jar: Cookies,
    created: NewRecord,
    former: SessionRecord | null,
  ) => Promise<SessionRecord>
  /**
   * Changes the data. `change` may run several times.
   * @returns `null` if the session has ended in the meantime
   */
  readonly change: (
    jar: Cookies,
    record: SessionRecord,
    change: (data: object) => object,
  ) => Promise<SessionRecord | null>
  /** Extends the session by its idle time. @param jar `null` if cookies can't be set */
  readonly extend: (jar: Cookies | null, record: SessionRecord) => Promise<void>
  readonly end: (jar: Cookies, record: SessionRecord | null) => Promise<void>
  /** True if the session hasn't ended. Works outside of a request. */
  readonly isActive: (record: SessionRecord) => Promise<boolean>
}

/** The server decides when a session ends, because a browser may keep a cookie for longer than it should. */
export function isExpired(
  { createdAtMs, seenAtMs }: Pick<SessionRecord, 'createdAtMs' | 'seenAtMs'>,
  { idleMs, maxMs }: Lifetime,
  nowMs: number,
): boolean {
  return nowMs - seenAtMs >= idleMs || (maxMs !== null && nowMs - createdAtMs >= maxMs)
}
