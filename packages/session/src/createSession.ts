import type { Cookies } from 'waymark/server'
import { createFlash, type Flash } from './flash.ts'
import { assertJson } from './jsonData.ts'
import { createFindDriver, type Platform, platform } from './platform.ts'
import type { Lifetime, SessionRecord } from './records.ts'
import { createSealedRecords } from './sealedRecords.ts'
import { createSessionCookie } from './sessionCookie.ts'
import { type SessionStore, withParsedRows } from './sessionStore.ts'
import { createStoredRecords } from './storedRecords.ts'
import { checkEveryMs, createWatchers } from './watchers.ts'

/** Options of `createSession()`. */
export type SessionOptions<Data extends object> = {
  /** Data of a new session. Its type is the type of the data. Default: no data. */
  readonly data?: Data
  /** Name of the cookie, with the prefix `__Host-` in production. Default: `session`. */
  readonly name?: string
  /** Seconds without use after which a session ends. Default: 14 days. */
  readonly idleSeconds?: number
  /** Seconds after the sign-in after which a session ends even if it is used. Default: no limit. */
  readonly maxSeconds?: number
  /** False to send cookies over HTTP, too. Default: true in production. */
  readonly secure?: boolean
  /**
   * Checks data from an earlier version of the app. If it throws, the session continues with the data of a new session.
   */
  readonly parse?: (data: unknown) => Data
  /**
   * Returns the time before which sessions of a user are invalid, in milliseconds since the epoch; `null` for no such
   * time. With this function, you can end all sealed sessions of a user. Called once per request of a signed-in user, and
   * every 10 seconds for each listener of `onEnd()`.
   */
  readonly validSinceMs?: (userId: string) => number | null | Promise<number | null>
}

/** The session of a request. It can be passed to client components. */
export type Session<Data> = {
  /** Id of the session, which isn't secret; `null` for a visitor without a session. */
  readonly id: string | null
  /** The user who is signed in, as passed to `signIn()`; `null` for a visitor. */
  readonly userId: string | null
  readonly data: Data
  /** Time of the sign-in, in milliseconds since the epoch; `null` for a visitor without a session. */
  readonly createdAtMs: number | null
}

/** Options of `signIn()`. */
export type SignInOptions<Data> = {
  /** Data to change at sign-in. */
  readonly data?: Partial<Data>
  /** False to end the session when the browser is closed, for shared computers. Default: true. */
  readonly remember?: boolean
}

/** Functions for sessions in a sealed cookie. */
export type SealedSessions<Data> = {
  /**
   * Returns the session of the request, at most 10 seconds old. Makes a page dynamic and private. Can be called in
   * pages, actions, route handlers, proxy.ts and `user` of server.ts.
   * @throws `OUTSIDE_REQUEST`; `REQUEST_IN_CACHE` in a cached function
   */
  readonly read: () => Promise<Session<Data>>
  /** Returns the id of the user who is signed in, or `null`. @throws the same errors as `read` */
  readonly readUserId: () => Promise<string | null>
  /**
   * Changes some fields of the data. A visitor without a session gets one.
   * @param change the fields, or a function that returns them. The function may run several times
   * @returns the session after the change
   * @throws while a page renders, and if the data isn't JSON or is too large for the cookie
   */
  readonly update: (
    change: Partial<Data> | ((data: Data) => Partial<Data>),
  ) => Promise<Session<Data>>
  /**
   * Starts a session for a user, with a new id and a new cookie. Keeps the data of the visitor's session, but not the
   * data of another user's session.
   * @throws the same errors as `update`
   */
  readonly signIn: (userId: string, options?: SignInOptions<Data>) => Promise<Session<Data>>
  /** Ends the session in this browser. @throws while a page renders */
  readonly signOut: () => Promise<void>
  /**
   * Leaves a message for the next page of this browser. The message is lost after five minutes.
   * @param kind for the style of the message, such as `error`. Default: `info`
   * @throws while a page renders, and if the message is too large for a cookie
   */
  readonly flash: (text: string, kind?: string) => Promise<void>
  /**
   * Returns the messages that no page has read yet, oldest first. The same page gets them again for 10 seconds, in case
   * its response was lost. A prefetch gets none.
   */
  readonly readFlash: () => Promise<readonly Flash[]>
  /**
   * Calls a function once a session has ended: immediately if this process ends it, and otherwise within 10 seconds.
   * Without a store, this process doesn't learn that another process has ended the session. Use it to close the
   * WebSockets and streams of a session.
   * @param session result of `read()`
   * @returns a function that stops the check. Call it when the connection closes
   */
  readonly onEnd: (session: Session<Data>, listener: () => void) => () => void
}

/** One of a user's sessions, for a list of devices. */
export type Device = {
  readonly id: string
  /** `user-agent` of the browser at sign-in, at most 200 characters. */
  readonly userAgent: string
  /** Time of the sign-in, in milliseconds since the epoch. */
  readonly createdAtMs: number
  /** Time of the last use, in milliseconds since the epoch, at most an hour old. */
  readonly seenAtMs: number
  /** True for the session of the request. */
  readonly isCurrent: boolean
}

/** Functions for sessions in a store. */
export type StoredSessions<Data> = SealedSessions<Data> & {
  /** Lists the sessions of the user who is signed in, with the last used one first. Empty for a visitor. */
  readonly listDevices: () => Promise<readonly Device[]>
  /**
   * Ends a session of the user who is signed in. Sessions of other users can't be ended.
   * @param id from `listDevices()`
   * @returns false if the user has no such session
   * @throws while a page renders
   */
  readonly endDevice: (id: string) => Promise<boolean>
  /**
   * Ends all sessions of the user who is signed in, except the current one.
   * @returns false if nobody is signed in, also because the store can't be reached
   * @throws while a page renders, and if the store fails
   */
  readonly endOtherDevices: () => Promise<boolean>
  /**
   * Ends all sessions of a user on all devices. Can be called outside of a request.
   * @throws if the store can't be reached
   */
  readonly endAllDevices: (userId: string) => Promise<void>
}

/**
 * Creates the functions for an app's sessions. Call it once, in a module of the server.
 *
 * Without `store`, the data of a session is in an encrypted cookie, at most about 3,000 bytes. With a store, the cookie
 * has only a random token. Cookies are encrypted with the app's secret, and remain valid while a secret is replaced.
 * @throws if an option is invalid
 */
export function createSession<Data extends object = Record<never, never>>(
  options: SessionOptions<Data> & { readonly store: SessionStore },
): StoredSessions<Data>
export function createSession<Data extends object = Record<never, never>>(
  options?: SessionOptions<Data>,
): SealedSessions<Data>
export function createSession<Data extends object>(
  options: SessionOptions<Data> & { readonly store?: SessionStore } = {},
): StoredSessions<Data> {
  return createSessionOn(platform, options)
}

const dayMs = 24 * 60 * 60_000
const longestRenewalMs = 60 * 60_000
const maxDeviceLength = 200
const maxUserIdLength = 200

type SessionRead<Data> = { readonly record: SessionRecord | null; readonly session: Session<Data> }

type RequestRead<Data> = {
  readonly cookies: string
  readonly atMs: number
  readonly read: Promise<SessionRead<Data>>
}

/** `createSession` on a platform that tests can replace. */
export function createSessionOn<Data extends object>(
  platform: Platform,
  options: SessionOptions<Data> & { readonly store?: SessionStore },
): StoredSessions<Data> {
  const { name = 'session', secure, validSinceMs, parse } = options
  const appStore = options.store?.named?.(name) ?? options.store
  const store = appStore && withParsedRows(appStore)
  const lifetime = readLifetime(options)
  const renewAfterMs = Math.min(longestRenewalMs, lifetime.idleMs / 10)
  assertJson(options.data ?? {})
  // Copy the data each time, because an app may change what it has read, such as push an item into a list. Cast the
  // default, because the type of the data is empty if the app passes no data.
  const createData = (): Data => structuredClone(options.data ?? ({} as Data))
  const cookie = createSessionCookie(platform, { name, secure })
  const records = store
    ? createStoredRecords(platform, cookie, { store, name, lifetime })
    : createSealedRecords(platform, cookie, { name, secure, lifetime })
  const findDriver = createFindDriver(platform)
  const flash = createFlash(platform, { name, secure, findDriver })
  const watchers = createWatchers({
    isActive: async (record) => (await records.isActive(record)) && isValid(record),
  })
  const recordsOfSessions = new WeakMap<Session<Data>, SessionRecord>()
  // Results by request. A result is valid as long as the cookies are still equal to `cookies`.
  const reads = new WeakMap<object, RequestRead<Data>>()

  function remember(jar: Cookies, read: Promise<SessionRead<Data>>): Promise<SessionRead<Data>> {
    const request = platform.currentRequest()?.request
    const cookies = cookie.values(jar).join()
    if (request) reads.set(request, { cookies, atMs: platform.now(), read })
    return read
  }

  async function find(): Promise<SessionRead<Data>> {
    const jar = await platform.cookies()
    const request = platform.currentRequest()?.request
    const earlier = request && reads.get(request)
    // A stream may read the session for hours, and must notice when the session has ended.
    const isRecent = earlier && platform.now() - earlier.atMs < checkEveryMs
    if (isRecent && earlier.cookies === cookie.values(jar).join()) return earlier.read
    return remember(jar, load(jar))
  }

  async function load(jar: Cookies): Promise<SessionRead<Data>> {
    for (const value of cookie.values(jar)) {
      const record = await records.find(value, jar)
      if (record && (await isValid(record))) {
        if (platform.now() - record.seenAtMs >= renewAfterMs) await extend(jar, record)
        return readOf(record)
      }
    }
    return { record: null, session: sessionOf(null) }
  }

  async function isValid({ userId, createdAtMs }: SessionRecord): Promise<boolean> {
    if (!validSinceMs || userId === null) return true
    const sinceMs = await validSinceMs(userId)
    return sinceMs === null || createdAtMs >= sinceMs
  }

  async function extend(jar: Cookies, record: SessionRecord): Promise<void> {
    try {
      await records.extend(canWrite() ? jar : null, record)
    } catch {
      // Ignore the error: if the response has begun, no cookie can be set, and the next request extends the session.
    }
  }

  function readOf(record: SessionRecord): SessionRead<Data> {
    const session = sessionOf(record)
    recordsOfSessions.set(session, record)
    return { record, session }
  }

  function sessionOf(record: SessionRecord | null): Session<Data> {
    if (!record) return { id: null, userId: null, data: createData(), createdAtMs: null }
    const { id, userId, createdAtMs } = record
    return { id, userId, data: dataOf(record.data), createdAtMs }
  }

  function dataOf(stored: object): Data {
    const data: Data = { ...createData(), ...stored }
    if (!parse) return data
    try {
      return parse(data)
    } catch {
      // Continue with the initial data, so that unusable data from an earlier version doesn't sign the user out.
      return createData()
    }
  }

  /** True in an action, a route handler and proxy.ts. */
  function canWrite(): boolean {
    const phase = platform.currentRequest()?.phase
    return phase === 'action' || phase === 'route-handler' || phase === 'proxy'
  }

  /** @throws if cookies can't be set, because the change would be lost */
  async function jarToWrite(api: string): Promise<Cookies> {
    const jar = await platform.cookies()
    if (canWrite()) return jar
    throw new Error(
      `${api}() was called while a page was rendering, or after the response was sent, so the browser would not get the cookie. Call it in a server action, a route handler or proxy.ts.`,
    )
  }

  /** Refreshes the page after an action. Changes in a store need this, because they set no cookie. */
  function refreshPage(): void {
    if (platform.currentRequest()?.phase === 'action') platform.refresh()
  }

  function deviceOf(): string {
    const sent = platform.currentRequest()?.request.headers.get('user-agent')
    return (sent ?? '').slice(0, maxDeviceLength)
  }

  async function start(
    jar: Cookies,
    fields: { userId: string | null; data: Data } & SignInOptions<Data>,
    former: SessionRecord | null,
  ) {
    const { userId, data, remember: isLasting = true } = fields
    const created = { userId, data, device: deviceOf(), isLasting }
    return readOf(await records.create(jar, created, former))
  }

  return {
    async read() {
      return (await find()).session
    },
    async readUserId() {
      return (await find()).session.userId
    },
    async update(change) {
      const jar = await jarToWrite('update')
      const { record } = await find()
      const apply = (stored: object): Data => {
        const data = dataOf(stored)
        const changed = { ...data, ...(typeof change === 'function' ? change(data) : change) }
        assertJson(changed)
        return changed
      }
      const changed = record && (await records.change(jar, record, apply))
      const read = changed
        ? readOf(changed)
        : await start(jar, { userId: null, data: apply({}) }, null)
      refreshPage()
      await remember(jar, Promise.resolve(read))
      return read.session
    },
    async signIn(userId, { data = {}, remember: isLasting = true } = {}) {
      const jar = await jarToWrite('signIn')
      if (typeof userId !== 'string' || userId === '' || userId.length > maxUserIdLength) {
        throw new Error(
          `signIn() needs the user's id, a string of 1 to ${maxUserIdLength} characters.`,
        )
      }
      const { record, session } = await find()
      const isOtherUser = session.userId !== null && session.userId !== userId
      const signedIn = { ...(isOtherUser ? createData() : session.data), ...data }
      assertJson(signedIn)
      const read = await start(jar, { userId, data: signedIn, remember: isLasting }, record)
      if (record) watchers.endHandle(record.handle)
      await remember(jar, Promise.resolve(read))
      return read.session
    },
    async signOut() {
      const jar = await jarToWrite('signOut')
      const { record } = await find()
      await records.end(jar, record)
      flash.clear(jar)
      if (record) watchers.endHandle(record.handle)
    },
    async flash(text, kind = 'info') {
      flash.add(await jarToWrite('flash'), { text, kind })
    },
    async readFlash() {
      return flash.read(await platform.cookies(), canWrite())
    },
    onEnd(session, listener) {
      if (session.id === null) return () => {}
      const record = recordsOfSessions.get(session)
      if (!record) throw new Error('onEnd() needs the object that read() has returned, not a copy.')
      return watchers.add(record, listener)
    },
    async listDevices() {
      const { session } = await find()
      if (session.userId === null || !store) return []
      const rows = await store.list(session.userId)
      const nowMs = platform.now()
      return rows
        .filter((row) => row.userId === session.userId && row.expiresAtMs > nowMs)
        .toSorted((one, other) => other.seenAtMs - one.seenAtMs)
        .map(({ id, device, createdAtMs, seenAtMs }) => ({
          id,
          userAgent: device,
          createdAtMs,
          seenAtMs,
          isCurrent: id === session.id,
        }))
    },
    async endDevice(id) {
      const jar = await jarToWrite('endDevice')
      const { session } = await find()
      if (session.userId === null || !store) return false
      const rows = await store.list(session.userId)
      const row = rows.find((each) => each.id === id && each.userId === session.userId)
      if (!row) return false
      await store.delete(row.key)
      if (id === session.id) cookie.delete(jar)
      watchers.endHandle(row.key)
      refreshPage()
      return true
    },
    async endOtherDevices() {
      await jarToWrite('endOtherDevices')
      const { record } = await find()
      if (!record || record.userId === null || !store) return false
      await store.deleteAll(record.userId, record.handle)
      watchers.endUser(record.userId, record.handle)
      refreshPage()
      return true
    },
    async endAllDevices(userId) {
      await store?.deleteAll(userId, null)
      watchers.endUser(userId, null)
      const request = platform.currentRequest()?.request
      if (request) reads.delete(request)
    },
  }
}

/** @throws if a number of seconds is invalid */
function readLifetime<Data extends object>(options: SessionOptions<Data>): Lifetime {
  const { idleSeconds, maxSeconds } = options
  for (const [name, seconds] of Object.entries({ idleSeconds, maxSeconds })) {
    if (seconds === undefined || (Number.isFinite(seconds) && seconds > 0)) continue
    throw new Error(`createSession() got ${name}: ${seconds}. Pass a number of seconds above 0.`)
  }
  return {
    idleMs: idleSeconds === undefined ? 14 * dayMs : idleSeconds * 1_000,
    maxMs: maxSeconds === undefined ? null : maxSeconds * 1_000,
  }
}
