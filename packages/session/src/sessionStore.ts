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
  named?(name: string): SessionStore
}

/**
 * Checks the rows of a store. If a column were missing, because Postgres stores `userId` as `userid`, every visitor
 * would have a user.
 */
export function withParsedRows(store: SessionStore): SessionStore {
  return {
    async find(key) {
      const row = await store.find(key)
      return row ? parseRow(row) : null
    },
    insert: (row) => store.insert(row),
    replace: (row) => store.replace(row),
    delete: (key) => store.delete(key),
    deleteAll: (userId, exceptKey) => store.deleteAll(userId, exceptKey),
    async list(userId) {
      return (await store.list(userId)).map(parseRow)
    },
  }
}

/** @throws if a column is missing or has the wrong type */
function parseRow(row: SessionRow): SessionRow {
  return {
    key: readText(row, 'key'),
    id: readText(row, 'id'),
    userId: row.userId === null ? null : readText(row, 'userId'),
    data: readText(row, 'data'),
    device: readText(row, 'device'),
    createdAtMs: readNumber(row, 'createdAtMs'),
    seenAtMs: readNumber(row, 'seenAtMs'),
    expiresAtMs: readNumber(row, 'expiresAtMs'),
    version: readNumber(row, 'version'),
  }
}

function readText(row: SessionRow, name: keyof SessionRow): string {
  const value: unknown = row[name]
  if (typeof value === 'string') return value
  throw wrongColumn(name, value)
}

/** Reads a number, which some drivers return as a string or a bigint if the column is a `bigint`. */
function readNumber(row: SessionRow, name: keyof SessionRow): number {
  const value: unknown = row[name]
  const isNumeric = typeof value === 'number' || typeof value === 'bigint' || isDigits(value)
  if (isNumeric) return Number(value)
  throw wrongColumn(name, value)
}

function isDigits(value: unknown): boolean {
  return typeof value === 'string' && /^\d+$/.test(value)
}

function wrongColumn(name: string, value: unknown): Error {
  // Don't print a value, which may be private.
  const kind = value === null ? 'null' : typeof value
  return new Error(
    `The session store returned ${name}: ${kind}. Check that the table has a column for each field of SessionRow, with the same name and type. Postgres changes the names to lower case unless they are in double quotes.`,
  )
}
