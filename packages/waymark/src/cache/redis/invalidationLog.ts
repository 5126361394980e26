import type { RedisConnection } from '../../redis/connection.ts'
import type { CacheDriver, CacheEntry, Invalidation, InvalidationMode } from '../driver.ts'
import type { Freshness } from '../freshness.ts'
import { createTagMarks } from '../tagMarks.ts'
import { appendScript, decodeMessage, logNames, readLog } from './logCommands.ts'

/** What this process knows of all invalidations. */
export type InvalidationLog = Pick<CacheDriver, 'position' | 'onInvalidated'> & {
  invalidate(tags: readonly string[], mode: InvalidationMode): Promise<void>
  /** What its tags say about an entry. */
  freshness(entry: CacheEntry): Freshness
  /** Resolves once what was invalidated before has been read, if Redis is there. */
  readonly isRead: Promise<void>
  close(): void
}

/** What the log is made of. */
export type InvalidationLogParts = {
  readonly connection: RedisConnection
  readonly prefix: string
  readonly catchUpMs: number
  /** Tells this process from all others. */
  readonly self: string
}

type Pending = Map<string, InvalidationMode>

// A log may hold a hundred thousand tags.
const readMs = 5_000

const modes: readonly InvalidationMode[] = ['stale', 'expired']

/**
 * Follows the log of invalidations, which Redis numbers by its own clock: a message tells of each
 * at once, with the number before it, so that a lost message is noticed at the next one; and the
 * last number is asked for every second.
 */
export function createInvalidationLog(parts: InvalidationLogParts): InvalidationLog {
  const { connection, prefix, catchUpMs, self } = parts
  const names = logNames(prefix)
  const marks = createTagMarks()
  const listeners = new Set<(invalidation: Invalidation) => void>()
  // What could not be told the others yet.
  const pending: Pending = new Map()
  let known = 0
  let catchingUp: Promise<void> | null = null

  function note(tags: readonly string[] | 'all', mode: InvalidationMode, position: number): void {
    const unheard = marks.mark(tags, mode, position)
    if (unheard.length === 0) return
    for (const listener of listeners) listener({ tags: unheard, mode })
  }

  async function append(tags: readonly string[], mode: InvalidationMode): Promise<boolean> {
    const reply = await connection.run(null, (send) =>
      appendScript(send, names, { tags, mode, self }),
    )
    if (!reply) return false
    marks.mark(tags, mode, reply.position)
    if (reply.previous === known) known = reply.position
    // There are others in between. What is under way may have been asked before this one.
    for (let tries = 0; known < reply.position && tries < 2; tries++) await catchUp()
    return true
  }

  async function tellPending(): Promise<void> {
    for (const mode of modes) {
      const tags = [...pending].flatMap(([tag, each]) => (each === mode ? tag : []))
      if (tags.length === 0 || !(await append(tags, mode))) continue
      for (const tag of tags) pending.delete(tag)
    }
  }

  function catchUp(): Promise<void> {
    catchingUp ??= readOn().finally(() => {
      catchingUp = null
    })
    return catchingUp
  }

  async function readOn(): Promise<void> {
    const read = await connection.run(null, (send) => readLog(send, names, known), readMs)
    if (!read) return
    for (const mode of modes) {
      if (read.floors[mode] > known) note('all', mode, read.floors[mode])
    }
    for (const { tag, mode, position } of read.marks) note([tag], mode, position)
    known = Math.max(known, read.position)
  }

  connection.subscribe(names.channel, (text) => {
    const message = decodeMessage(text)
    if (!message || message.self === self) return
    const { tags, mode, position, previous } = message
    note(tags, mode, position)
    if (previous === known) known = position
    else if (position > known) void catchUp()
  })
  const isRead = catchUp()
  connection.onBack(async () => {
    await tellPending()
    await catchUp()
  })
  const timer = setInterval(() => void catchUp(), catchUpMs)
  timer.unref()

  return {
    position: () => known,
    isRead,
    freshness: (entry) => shorterLived(marks.freshness(entry), pendingFreshness(entry, pending)),
    async invalidate(tags, mode) {
      if (await append(tags, mode)) return
      for (const tag of tags) if (pending.get(tag) !== 'expired') pending.set(tag, mode)
    },
    onInvalidated(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close: () => clearInterval(timer),
  }
}

function pendingFreshness({ tags }: CacheEntry, pending: Pending): Freshness {
  if (pending.size === 0) return 'fresh'
  const found = tags.map((tag) => pending.get(tag))
  return found.includes('expired') ? 'expired' : found.includes('stale') ? 'stale' : 'fresh'
}

function shorterLived(a: Freshness, b: Freshness): Freshness {
  if (a === 'expired' || b === 'expired') return 'expired'
  return a === 'stale' || b === 'stale' ? 'stale' : 'fresh'
}
