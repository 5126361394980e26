/** A session in a store, such as a row of a database table. */
export type SessionRow = {
  /** Primary key: a hash of the token in the browser's cookie. The token itself is never stored. */
  readonly key: string
  /** Id for the list of devices. It isn't secret. */
  readonly id: string
  /** The user who is signed in; `null` for a visitor. */
  readonly userId: string | null
  /** Data of the session, as JSON. */
  readonly data: string
  /** `user-agent` of the browser at sign-in, at most 200 characters. */
  readonly device: string
  /** Time of the sign-in, in milliseconds since the epoch. */
  readonly createdAtMs: number
  /** Time of the last use, in milliseconds since the epoch, at most an hour old. */
  readonly seenAtMs: number
  /** Time after which the session is invalid and the row can be deleted, in milliseconds since the epoch. */
  readonly expiresAtMs: number
  /** Starts at 0 and grows by 1 with each change. */
  readonly version: number
}

/**
 * Stores sessions in your database. Each function is one SQL statement. The caller checks `expiresAtMs`, so rows
 * that have expired may stay until you delete them.
 */
export type SessionStore = {
  readonly find: (key: string) => Promise<SessionRow | null>
  readonly insert: (row: SessionRow) => Promise<void>
  /**
   * Replaces the row with this `key`, if its version is `row.version - 1`. The check and the change must be one atomic
   * step, so that neither of two concurrent changes is lost.
   * @returns false if the row was changed or deleted in the meantime
   */
  readonly replace: (row: SessionRow) => Promise<boolean>
  readonly delete: (key: string) => Promise<void>
  /** Deletes all sessions of a user. @param exceptKey key of a session to keep; `null` to delete all */
  readonly deleteAll: (userId: string, exceptKey: string | null) => Promise<void>
  /** Returns all sessions of a user, in any order. */
  readonly list: (userId: string) => Promise<readonly SessionRow[]>
  /**
   * Returns the store for the sessions of one `createSession()`. Users of sessions with different names are different
   * people, even if their ids are the same. Without this function, each name needs a store of its own.
   */
  readonly named?: (name: string) => SessionStore
}
