import type { RedisConnection } from '../../redis/connection.ts'
import type { CacheDriver, CacheEntry, InvalidationMode } from '../driver.ts'
import { type Freshness, staler } from '../freshness.ts'
import { createInvalidationState, type InvalidationState } from '../heard.ts'
import { createInvalidationOutbox } from '../pending.ts'
import { tailInvalidationLog } from './followLog.ts'
import { appendScript, logNames } from './logCommands.ts'

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
