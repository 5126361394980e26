import type { RedisConnection } from '../../redis/connection.ts'
import type { InvalidationMode } from '../driver.ts'
import type { InvalidationState } from '../heard.ts'
import { decodeMessage, type LogNames, readLog } from './logCommands.ts'

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
