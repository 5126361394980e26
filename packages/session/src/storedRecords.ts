import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type { Platform } from './platform.ts'
import { isExpired, type Lifetime, type Records, type SessionRecord } from './records.ts'
import type { SessionCookie } from './sessionCookie.ts'
import type { SessionRow, SessionStore } from './sessionStore.ts'

const tokenBytes = 32
/** Maximum number of attempts to change a row that other requests change at the same time. */
const maxTries = 10

type StoredOptions = {
  readonly store: SessionStore
  readonly name: string
  readonly lifetime: Lifetime
}

/**
 * Stores sessions in a store. The cookie has a random token, and the store has the token's hash, so nobody can use the
 * content of the store to sign in.
 */
export function createStoredRecords(
  { now }: Platform,
  cookie: SessionCookie,
  { store, name, lifetime }: StoredOptions,
): Records {
  const keyOf = (token: string) =>
    createHash('sha256').update(`${name} ${token}`).digest('base64url')

  const expiryOf = (createdAtMs: number, seenAtMs: number) =>
    Math.min(seenAtMs + lifetime.idleMs, createdAtMs + (lifetime.maxMs ?? Number.POSITIVE_INFINITY))

  async function findRow(key: string): Promise<SessionRow | null> {
    const row = await store.find(key)
    return row && !isExpired(row, lifetime, now()) ? row : null
  }

  return {
    async find(token) {
      // Don't ask the store about values that can't be tokens.
      if (!tokenPattern.test(token)) return null
      const row = await findRow(keyOf(token))
      return row && recordOf(row)
    },
    async create(jar, { userId, data, device, isLasting }, former) {
      const token = randomBytes(tokenBytes).toString('base64url')
      const nowMs = now()
      const row: SessionRow = {
        key: keyOf(token),
        id: randomUUID(),
        userId,
        data: JSON.stringify(data),
        device,
        createdAtMs: nowMs,
        seenAtMs: nowMs,
        expiresAtMs: expiryOf(nowMs, nowMs),
        version: 0,
      }
      // If the store fails, the browser keeps its cookie, and with it the session that it had.
      await store.insert(row)
      try {
        cookie.write(jar, token, { isLasting })
      } catch (error) {
        // The response has begun, so nobody will get the token.
        await store.delete(row.key)
        throw error
      }
      if (former) await store.delete(former.handle)
      return recordOf(row)
    },
    async change(_, { handle }, change) {
      for (let tries = 0; tries < maxTries; tries++) {
        const row = await findRow(handle)
        if (!row) return null
        const data = JSON.stringify(change(JSON.parse(row.data)))
        const seenAtMs = now()
        const expiresAtMs = expiryOf(row.createdAtMs, seenAtMs)
        const changed = { ...row, data, seenAtMs, expiresAtMs, version: row.version + 1 }
        if (await store.replace(changed)) return recordOf(changed)
      }
      throw new Error(
        `The session was changed by other requests ${maxTries} times while this request tried to change it. Check that the session store's replace() returns true after it has changed the row.`,
      )
    },
    async extend(_, { handle }) {
      const row = await findRow(handle)
      if (!row) return
      const seenAtMs = now()
      const expiresAtMs = expiryOf(row.createdAtMs, seenAtMs)
      // If another request has changed the row at the same time, that request has extended the session.
      await store.replace({ ...row, seenAtMs, expiresAtMs, version: row.version + 1 })
    },
    async end(jar, record) {
      cookie.delete(jar)
      if (record) await store.delete(record.handle)
    },
    isActive: async ({ handle }) => (await findRow(handle)) !== null,
  }
}

// 32 bytes in base64url.
const tokenPattern = /^[\w-]{43}$/

function recordOf(row: SessionRow): SessionRecord {
  const { id, userId, device, createdAtMs, seenAtMs, key } = row
  const data = JSON.parse(row.data) as object
  return { id, userId, data, device, createdAtMs, seenAtMs, isLasting: true, handle: key }
}
