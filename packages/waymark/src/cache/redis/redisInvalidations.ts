import type { RedisConnection } from '../../redis/redisConnection.ts'
import type { CacheDriver, CacheEntry, InvalidationMode } from '../cacheDriver.ts'
import { type Freshness, staler } from '../cacheEntry.ts'
import {
  createInvalidationOutbox,
  createInvalidationState,
  type InvalidationState,
} from '../invalidation.ts'
import {
  appendScript,
  decodeMessage,
  type LogNames,
  logNames,
  readLog,
} from './invalidationCommands.ts'

/** What this process knows of all invalidations. */
export type InvalidationLog = Pick<CacheDriver, 'position'> &
  Pick<InvalidationState, 'onInvalidated'> & {
    invalidate(tags: readonly string[], mode: InvalidationMode): Promise<void>
    /** What its tags say about an entry. */
    freshness(entry: CacheEntry): Freshness
    /** Resolves once what was invalidated before has been read, if Redis is there. */
    readonly isRead: Promise<void>
    close(): void
  }

/** What the log is made of. */
export type InvalidationLogOptions = {
  readonly connection: RedisConnection
  readonly prefix: string
  readonly catchUpMs: number
  /** Tells this process from all others. */
  readonly self: string
}

/**
 * Follows the log of invalidations, which Redis numbers by its own clock: a message tells of each
 * at once, with the number before it, so that a lost message is noticed at the next one; and the
 * last number is asked for every second.
 */
export function createInvalidationLog(options: InvalidationLogOptions): InvalidationLog {
  const { connection, prefix, catchUpMs, self } = options
  const names = logNames(prefix)
  const heard = createInvalidationState()
  // What could not be told the others yet.
  const pending = createInvalidationOutbox()
  const follower = tailInvalidationLog({ connection, names, heard, self })

  async function append(tags: readonly string[], mode: InvalidationMode): Promise<boolean> {
    const appended = { tags, mode, self }
    const reply = await connection.run(null, (send) => appendScript(send, names, appended))
    if (!reply) return false
    heard.own(tags, mode, reply.position)
    // A reading that is under way may have begun before there was this one.
    for (let tries = 0; !follower.advance(reply) && tries < 2; tries++) await follower.catchUp()
    return true
  }

  const isRead = follower.catchUp()
  const catchUp = async () => {
    await pending.tell(append)
    await follower.catchUp()
  }
  connection.onBack(catchUp)
  // What was refused is told later, too: a full Redis is there all the time.
  const timer = setInterval(() => void catchUp(), catchUpMs)
  timer.unref()

  return {
    position: () => follower.known,
    isRead,
    freshness: (entry) => staler(heard.freshness(entry), pending.freshness(entry)),
    async invalidate(tags, mode) {
      if (!(await append(tags, mode))) pending.add(tags, mode)
    },
    onInvalidated: heard.onInvalidated,
    close: () => clearInterval(timer),
  }
}

/** Hears of all that is appended to the log. */
export type InvalidationTail = {
  /** Number of the last invalidation that is known here, with all before it. */
  readonly known: number
  /** Takes note that the next one is this process's own. @returns false if there are others before */
  advance(next: { readonly position: number; readonly previous: number }): boolean
  /** Reads what is not known yet. */
  catchUp(): Promise<void>
}

/** What a follower needs. */
export type InvalidationTailOptions = {
  readonly connection: RedisConnection
  readonly names: LogNames
  readonly heard: InvalidationState
  /** Tells this process from all others. */
  readonly self: string
}

// A log may hold a hundred thousand tags.
const readMs = 5_000

const modes: readonly InvalidationMode[] = ['stale', 'expired']

/** Makes a follower that listens. */
export function tailInvalidationLog({
  connection,
  names,
  heard,
  self,
}: InvalidationTailOptions): InvalidationTail {
  let known = 0
  let catchingUp: Promise<void> | null = null

  async function readOn(): Promise<void> {
    const read = await connection.run(null, (send) => readLog(send, names, known), readMs)
    if (!read) return
    for (const mode of modes) {
      if (read.floors[mode] > known) heard.others('all', mode, read.floors[mode])
    }
    for (const { tag, mode, position } of read.marks) heard.others([tag], mode, position)
    known = Math.max(known, read.position)
  }

  function catchUp(): Promise<void> {
    catchingUp ??= readOn().finally(() => {
      catchingUp = null
    })
    return catchingUp
  }

  function advance({ position, previous }: { position: number; previous: number }): boolean {
    if (previous === known) known = position
    return position <= known
  }

  connection.subscribe(names.channel, (text) => {
    const message = decodeMessage(text)
    if (!message || message.self === self) return
    heard.others(message.tags, message.mode, message.position)
    if (!advance(message)) void catchUp()
  })

  return {
    get known() {
      return known
    },
    advance,
    catchUp,
  }
}
