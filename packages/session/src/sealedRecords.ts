import { createHmac, randomBytes } from 'node:crypto'
import type { Cookies } from 'waymark/server'
import type { KeyRing, Platform } from './platform.ts'
import { isExpired, type Lifetime, type Records, type SessionRecord } from './records.ts'
import { createSessionCookie, longestSeconds, type SessionCookie } from './sessionCookie.ts'

const format = 1

/** Content of the sealed cookie. */
type SealedSession = readonly [
  format: typeof format,
  id: string,
  userId: string | null,
  createdAtMs: number,
  writtenAtMs: number,
  isLasting: 0 | 1,
  data: object,
]

/**
 * Creates a key ring for one cookie, with the app's secrets and their predecessors. Each cookie has its own key, so a
 * value for another purpose of the same app is never accepted.
 */
export function createCookieRing(
  { secrets, createKeyRing }: Platform,
  purpose: string,
): () => KeyRing {
  let ring: KeyRing | null = null
  return () => {
    if (ring) return ring
    const [first, ...others] = secrets()
    const derive = (secret: string) =>
      createHmac('sha256', secret).update(`waymark session 1 ${purpose}`).digest('base64url')
    ring = createKeyRing([derive(first), ...others.map(derive)])
    return ring
  }
}

/** Parses the JSON of a sealed value. @returns `null` for a value that this app hasn't sealed for this purpose */
export function openJson(ring: KeyRing, sealed: string, purpose: string): unknown {
  const bytes = ring.open(sealed, purpose)
  return bytes === null ? null : JSON.parse(Buffer.from(bytes).toString())
}

export function sealJson(ring: KeyRing, value: unknown, purpose: string): string {
  return ring.seal(Buffer.from(JSON.stringify(value)), purpose)
}

/** Content of the second cookie: the time of the last use; `null` for a session that has ended. */
type SealedSeen = readonly [id: string, seenAtMs: number | null]

/**
 * Stores sessions in an encrypted cookie. A second cookie has the time of the last use. So a response that only extends
 * the session can't bring back the data, or the session, that another response has just changed or ended. After the
 * end of a session, the second cookie has its id. So a slow response that changes the session can't bring it back.
 */
export function createSealedRecords(
  platform: Platform,
  cookie: SessionCookie,
  { name, secure, lifetime }: { name: string; secure: boolean | undefined; lifetime: Lifetime },
): Records {
  const { now } = platform
  const seenCookie = createSessionCookie(platform, { name: `${name}-seen`, secure })
  const ring = createCookieRing(platform, cookie.name)

  /** @returns 0 without a time; `null` if the session has ended */
  function readSeen(jar: Cookies, id: string): number | null {
    let latestMs = 0
    for (const value of seenCookie.values(jar)) {
      const seen = openJson(ring(), value, 'seen') as SealedSeen | null
      if (seen?.[0] !== id) continue
      if (seen[1] === null) return null
      latestMs = Math.max(latestMs, seen[1])
    }
    return latestMs
  }

  /** Marks a session as ended, until its cookie would have expired. */
  function writeEnd(jar: Cookies, { id }: SessionRecord): void {
    const ended: SealedSeen = [id, null]
    const seconds = Math.min(longestSeconds, Math.ceil(lifetime.idleMs / 1_000))
    seenCookie.write(jar, sealJson(ring(), ended, 'seen'), { isLasting: true, seconds })
  }

  function write(jar: Cookies, record: Omit<SessionRecord, 'handle'>): SessionRecord {
    const { id, userId, createdAtMs, isLasting, data } = record
    const seenAtMs = now()
    const sealed: SealedSession = [
      format,
      id,
      userId,
      createdAtMs,
      seenAtMs,
      isLasting ? 1 : 0,
      data,
    ]
    cookie.write(jar, sealJson(ring(), sealed, 'session'), { isLasting })
    return { ...record, seenAtMs, handle: id }
  }

  return {
    async find(value, jar) {
      const opened = openJson(ring(), value, 'session') as SealedSession | null
      if (opened?.[0] !== format) return null
      const [, id, userId, createdAtMs, writtenAtMs, isLasting, data] = opened
      const lastUseMs = readSeen(jar, id)
      if (lastUseMs === null) return null
      const seenAtMs = Math.max(writtenAtMs, lastUseMs)
      const record = { id, userId, createdAtMs, seenAtMs, isLasting: isLasting === 1, data }
      return isExpired(record, lifetime, now()) ? null : { ...record, device: '', handle: id }
    },
    async create(jar, created, former) {
      if (former) writeEnd(jar, former)
      const times = { createdAtMs: now(), seenAtMs: now() }
      return write(jar, { ...created, ...times, id: randomBytes(16).toString('base64url') })
    },
    async change(jar, record, change) {
      return write(jar, { ...record, data: change(record.data) })
    },
    async extend(jar, record) {
      if (!jar) return
      const seen: SealedSeen = [record.id, now()]
      seenCookie.write(jar, sealJson(ring(), seen, 'seen'), { isLasting: record.isLasting })
    },
    async end(jar, record) {
      cookie.delete(jar)
      if (record) writeEnd(jar, record)
    },
    isActive: async (record) => !isExpired(record, lifetime, now()),
  }
}
