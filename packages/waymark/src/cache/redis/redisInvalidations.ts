import { randomUUID } from 'node:crypto'
import type { RedisConnection } from '../../redis/redisConnection.ts'
import type { InvalidationMode } from '../cacheDriver.ts'
import { createInvalidations, oneAtATime } from '../invalidation.ts'
import {
  type Appended,
  appendScript,
  decodeMessage,
  invalidationModes,
  logNames,
  readLog,
} from './invalidationCommands.ts'

export type RedisInvalidationsOptions = {
  readonly connection: RedisConnection
  readonly prefix: string
  readonly catchUpMs: number
}

// A log may hold a hundred thousand tags.
const readMs = 5_000

/**
 * Follows the log of invalidations, which Redis numbers by its own clock: a message brings each at
 * once, with the number before it, so that a lost message is noticed at the next one; and the last
 * number is read every second.
 */
export function createRedisInvalidations(options: RedisInvalidationsOptions) {
  const { connection, prefix, catchUpMs } = options
  const self = randomUUID()
  const names = logNames(prefix)
  const invalidations = createInvalidations(append)
  const { addOwn, addOthers } = invalidations
  // Number of the last invalidation that is known here, with all before it.
  let known = 0

  const readNew = oneAtATime(async () => {
    const read = await connection.run(null, (send) => readLog(send, names, known), readMs)
    if (!read) return
    for (const mode of invalidationModes) {
      if (read.floors[mode] > known) addOthers('all', mode, read.floors[mode])
    }
    for (const { tag, mode, position } of read.marks) addOthers([tag], mode, position)
    known = Math.max(known, read.position)
  })

  /** @returns false if there are others before it that are not known here */
  function advance({ position, previous }: Appended): boolean {
    if (previous === known) known = position
    return position <= known
  }

  async function append(tags: readonly string[], mode: InvalidationMode): Promise<boolean> {
    const invalidation = { tags, mode, self }
    const appended = await connection.run(null, (send) => appendScript(send, names, invalidation))
    if (!appended) return false
    addOwn(tags, mode, appended.position)
    // A reading that is under way may have begun before there was this one.
    for (let tries = 0; !advance(appended) && tries < 2; tries++) await readNew()
    return true
  }

  connection.subscribe(names.channel, (text) => {
    const message = decodeMessage(text)
    if (!message || message.self === self) return
    addOthers(message.tags, message.mode, message.position)
    if (!advance(message)) void readNew()
  })
  const catchUp = () => invalidations.sendPending().then(readNew)
  connection.onBack(catchUp)
  // What was refused is sent later, too: a full Redis is there all the time.
  const timer = setInterval(catchUp, catchUpMs)
  timer.unref()

  return {
    position: () => known,
    /** Resolves once what was invalidated before is known, if Redis is there. */
    readNew,
    send: invalidations.send,
    freshness: invalidations.freshness,
    onInvalidated: invalidations.onInvalidated,
    close: () => clearInterval(timer),
  }
}
