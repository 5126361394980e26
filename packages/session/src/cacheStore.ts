import { createHash } from 'node:crypto'
import { type CacheDriver, type CacheEntry, waitForLease } from 'waymark/drivers'
import { createFindDriver, platform } from './platform.ts'
import type { SessionRow, SessionStore } from './sessionStore.ts'

/** Milliseconds for which a user's list of keys is stored after its last change. */
const listMs = 400 * 24 * 60 * 60_000
/** Maximum number of sessions of one user. A further session ends the least recently used one. */
const maxSessionsPerUser = 100
const lockMs = 10_000
const lockWaitMs = 3_000

/** Store in the app's cache, see `cacheStore()`. */
export type CacheStore = SessionStore & {
  /** Returns the store for the sessions with this `name`. */
  named(name: string): CacheStore
}

/**
 * Stores sessions where Waymark stores its cache: in files, in Redis, or in another driver of `server.ts`. The store is
 * a cache, so it deletes the least recently used sessions when it is full. If losing a session is a problem, implement
 * `SessionStore` with your database. If the store can't be reached, nobody is signed in.
 */
export function cacheStore(): CacheStore {
  return createCacheStore(createFindDriver(platform))
}

/**
 * Creates a store in a cache driver. A user's session is valid only while the user's list has its key. So a cache that has
 * lost the list has no sessions that nobody can end any more.
 * @param findDriver returns the driver, which can change when the server starts
 * @param name name of the sessions, each of which has its own users
 */
export function createCacheStore(findDriver: () => CacheDriver, name = 'session'): CacheStore {
  const runLocked = createLocks(findDriver)
  const listName = (userId: string) =>
    `waymark-session-user:${hash(JSON.stringify([name, userId]))}`

  async function readRow(key: string): Promise<SessionRow | null> {
    const entry = await findDriver().get(rowName(key))
    return entry ? (JSON.parse(decode(entry)) as SessionRow) : null
  }

  async function find(key: string): Promise<SessionRow | null> {
    const row = await readRow(key)
    if (!row || row.userId === null) return row
    return (await readList(row.userId)).includes(key) ? row : null
  }

  async function save(row: SessionRow): Promise<void> {
    await findDriver().set(rowName(row.key), entryOf(JSON.stringify(row), row.expiresAtMs))
  }

  async function readList(userId: string): Promise<string[]> {
    const entry = await findDriver().get(listName(userId))
    return entry ? (JSON.parse(decode(entry)) as string[]) : []
  }

  async function writeList(userId: string, keys: readonly string[]): Promise<void> {
    await findDriver().set(listName(userId), entryOf(JSON.stringify(keys), Date.now() + listMs))
  }

  /** Moves a session to the end of its user's list, because it was used last. */
  async function moveToEnd({ userId, key }: SessionRow, { isNew }: { isNew: boolean }) {
    if (userId === null) return
    await runLocked(listName(userId), async () => {
      const listed = await readList(userId)
      // A session that has left the list has ended, perhaps since it was read.
      if (!isNew && !listed.includes(key)) return
      const keys = [...listed.filter((each) => each !== key), key]
      const excess = keys.splice(0, Math.max(0, keys.length - maxSessionsPerUser))
      await Promise.all(excess.map((each) => findDriver().delete(rowName(each))))
      await writeList(userId, keys)
    })
  }

  const store: CacheStore = {
    find,
    async insert(row) {
      await save(row)
      await moveToEnd(row, { isNew: true })
      // A driver that can't be reached doesn't report this, but a user who has just signed in must know.
      if (await find(row.key)) return
      throw new Error(
        'The session could not be stored, because the cache can not be reached or is full. Try again.',
      )
    },
    async replace(row) {
      const isReplaced = await runLocked(rowName(row.key), async () => {
        const current = await find(row.key)
        if (current?.version !== row.version - 1) return false
        await save(row)
        return true
      })
      if (isReplaced) await moveToEnd(row, { isNew: false })
      return isReplaced
    },
    async delete(key) {
      await runLocked(rowName(key), async () => findDriver().delete(rowName(key)))
    },
    async deleteAll(userId, exceptKey) {
      await runLocked(listName(userId), async () => {
        const keys = await readList(userId)
        const valid = exceptKey === null ? [] : [exceptKey]
        await writeList(userId, valid)
        const stored = await findDriver().get(listName(userId))
        // A driver that can't be reached doesn't report this, but a user who believes that a thief's session has ended
        // must know.
        if (!stored || decode(stored) !== JSON.stringify(valid)) {
          throw new Error(
            'The sessions of the user could not be ended, because the cache can not be reached or is full. Try again.',
          )
        }
        const ended = keys.filter((key) => key !== exceptKey)
        await Promise.all(
          ended.map((key) =>
            runLocked(rowName(key), async () => findDriver().delete(rowName(key))),
          ),
        )
      })
    },
    async list(userId) {
      const rows = await Promise.all((await readList(userId)).map(readRow))
      return rows.filter((row) => row !== null)
    },
    named(newName) {
      const replaced = namesOfReplaced(store, this)
      if (replaced.length === 0) return createCacheStore(findDriver, newName)
      if (newName === name) return this
      // The replacements probably call the functions of this store, which has the users of another session.
      throw new Error(
        `The session "${newName}" has a cacheStore() with a replaced function (${replaced.join(', ')}). Get the store of ` +
          `this session first: const store = cacheStore().named('${newName}'). Then replace functions of that store.`,
      )
    },
  }
  return store
}

/** Names of the functions that an app has replaced in its copy of a store. */
function namesOfReplaced(store: CacheStore, copy: CacheStore): string[] {
  const names = Object.keys(store) as (keyof CacheStore)[]
  return names.filter((name) => copy[name] !== store[name])
}

const rowName = (key: string) => `waymark-session:${key}`

function hash(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}

function decode({ value }: CacheEntry): string {
  return Buffer.from(value).toString()
}

function entryOf(text: string, expireAtMs: number): CacheEntry {
  return {
    value: Buffer.from(text),
    tags: [],
    storedAtMs: Date.now(),
    revalidateAtMs: null,
    expireAtMs,
    // A driver that has forgotten which tags were invalidated drops all entries up to a position. Sessions have no
    // tags, so give them a position after every invalidation.
    position: Number.MAX_SAFE_INTEGER,
  }
}

type RunLocked = <T>(name: string, run: () => Promise<T>) => Promise<T>

/**
 * Creates a function that runs changes with the same name one after another, in this process and across all processes. If
 * another process holds the lock for too long, the change runs nevertheless, because a session must end when somebody
 * signs out.
 */
function createLocks(findDriver: () => CacheDriver): RunLocked {
  const queues = new Map<string, Promise<unknown>>()

  async function runWithLease<T>(name: string, run: () => Promise<T>): Promise<T> {
    const wait = { ttlMs: lockMs, waitMs: lockWaitMs }
    const lease = await waitForLease(findDriver(), `lock:${name}`, wait)
    try {
      return await run()
    } finally {
      if (lease.kind === 'ours') await lease.release()
    }
  }

  return async (name, run) => {
    const previous = queues.get(name) ?? Promise.resolve()
    const running = previous.then(() => runWithLease(name, run))
    // The next change must run even if this one fails.
    const settled = running.catch(() => {})
    queues.set(name, settled)
    try {
      return await running
    } finally {
      if (queues.get(name) === settled) queues.delete(name)
    }
  }
}
