import { randomUUID } from 'node:crypto'
import {
  createInvalidations,
  createPauseWatch,
  type InvalidationMode,
  oneAtATime,
} from 'waymark/drivers'
import { type RedisConnection, type SendCommand, within } from './redisConnection.ts'

export type RedisInvalidationsOptions = {
  readonly connection: RedisConnection
  readonly prefix: string
  readonly catchUpMs: number
}

// Time limit for reading the log, which may contain a hundred thousand tags.
const readMs = 5_000

/**
 * Follows the log of invalidations, which Redis numbers by its own clock. Each message that Redis
 * publishes contains the numbers of its own and the previous invalidation, so a process that has missed
 * a message learns this from the next message. A timer also reads the log every `catchUpMs`.
 *
 * Over a connection without messages, a request waits until the log has been read if the latest read is
 * older than `catchUpMs`. Hosts that stop timers between requests then follow the log as well.
 */
export function createRedisInvalidations(options: RedisInvalidationsOptions) {
  const { connection, prefix, catchUpMs } = options
  const self = randomUUID()
  const names = logNames(prefix)
  const invalidations = createInvalidations(append)
  const { addOwn, addOthers } = invalidations
  // Position in the log up to which this process has applied every invalidation.
  let applied = 0

  let isReading = false
  // Start of the latest read that has ended.
  let readAtMs = Number.NEGATIVE_INFINITY

  const readNew = oneAtATime(async () => {
    const startedAtMs = Date.now()
    isReading = true
    const read = await connection
      .run(null, (send) => readLog(send, names, applied), readMs)
      .finally(() => {
        isReading = false
        readAtMs = startedAtMs
      })
    if (!read) return
    for (const mode of invalidationModes) {
      if (read.floors[mode] > applied) addOthers('all', mode, read.floors[mode])
    }
    for (const { tag, mode, position } of read.marks) addOthers([tag], mode, position)
    applied = Math.max(applied, read.position)
  }, readMs)

  /** @returns false if this process has missed an earlier invalidation */
  function advance({ position, previous }: Appended): boolean {
    if (previous === applied) applied = position
    return position <= applied
  }

  async function append(tags: readonly string[], mode: InvalidationMode): Promise<boolean> {
    const invalidation = { tags, mode, self }
    const appended = await connection.run(null, (send) => appendScript(send, names, invalidation))
    if (!appended) return false
    addOwn(tags, mode, appended.position)
    // Read up to twice, because a running read may have begun before this invalidation was appended.
    for (let tries = 0; !advance(appended) && tries < 2; tries++) await readNew()
    return true
  }

  const hasMessages = connection.subscribe(names.channel, (text) => {
    const message = decodeMessage(text)
    if (!message || message.self === self) return
    addOthers(message.tags, message.mode, message.position)
    if (!advance(message)) void readNew()
  })
  /**
   * Resolves once every invalidation from before the call has been applied, or Redis has failed to
   * respond. Also sends the invalidations that Redis refused before.
   */
  async function readAll(): Promise<void> {
    await invalidations.sendPending()
    // Read again after a running read, because Redis may have sent the reply to it before the process
    // paused.
    if (isReading) await readNew()
    await readNew()
  }

  // Limit the timer, because a limit of 0 is only for requests.
  const timerMs = catchUpMs || 1_000
  const pauses = createPauseWatch(2 * timerMs)
  async function catchUp(): Promise<void> {
    const pause = pauses.latest()
    // Give up after a time limit, because a hanging Redis must not hold up each request. The timer reads
    // the log again.
    await within(connection.timeoutMs, readAll()).catch(() => {})
    pauses.caughtUp(pause)
  }

  function isBehind(): boolean {
    const wasPaused = pauses.look()
    // Compare the absolute difference, because the clock may have been set back.
    const isOutdated = !hasMessages && Math.abs(Date.now() - readAtMs) > catchUpMs
    return wasPaused || isOutdated
  }

  const sendAndRead = () => invalidations.sendPending().then(readNew)
  connection.onBack(sendAndRead)
  // Send waiting invalidations again on the timer, too, because a full Redis refuses them but stays
  // connected.
  const timer = setInterval(() => {
    pauses.look()
    void sendAndRead()
  }, timerMs)
  timer.unref()

  return {
    position: () => applied,
    /** Resolves once the log has been read, or Redis has failed to respond. */
    readNew,
    catchUp,
    isBehind,
    send: invalidations.send,
    freshness: invalidations.freshness,
    onInvalidated: invalidations.onInvalidated,
    close: () => clearInterval(timer),
  }
}

const invalidationModes: readonly InvalidationMode[] = ['stale', 'expired']

type LogNames = ReturnType<typeof logNames>

/**
 * Returns the keys of an app's log. The keys share a hash tag, so that a cluster stores them on one
 * server.
 */
export function logNames(prefix: string) {
  const name = (end: string) => `${prefix}:{log}:${end}`
  return {
    /** Number of the last invalidation. */
    position: name('position'),
    /** For each mode, the position up to which the log has dropped tags. */
    floors: { stale: name('floor:stale'), expired: name('floor:expired') },
    /** Tags by the number of their last invalidation. */
    stale: name('stale'),
    expired: name('expired'),
    channel: `${prefix}:invalidated`,
  }
}

/** An invalidation, with the id of the sending process. */
type LoggedInvalidation = {
  readonly tags: readonly string[]
  readonly mode: InvalidationMode
  readonly self: string
}

/** The position of an invalidation in the log, and the position of the previous invalidation. */
type Appended = { readonly position: number; readonly previous: number }

// Positions are microseconds of Redis's clock, so a log that is lost and begun again continues with larger
// ones. Lua and JSON would round positions to 14 digits, so they are sent as strings.
const append = `
local now = redis.call('TIME')
local last = tonumber(redis.call('GET', KEYS[1]) or '0')
local beyond = tonumber(ARGV[4])
if beyond >= 0 and last > 0 and last >= beyond then
  local begun = string.format('%.0f', last)
  return { begun, begun }
end
local position = math.max(now[1] * 1000000 + now[2], last + 1, beyond + 1)
local text = string.format('%.0f', position)
redis.call('SET', KEYS[1], text)
if last == 0 or beyond >= 0 then redis.call('SET', KEYS[2], text) end
for at = 5, #ARGV do redis.call('ZADD', KEYS[3], text, ARGV[at]) end
local over = redis.call('ZCARD', KEYS[3]) - tonumber(ARGV[3])
if over > 0 then
  local dropped = redis.call('ZRANGE', KEYS[3], over - 1, over - 1, 'WITHSCORES')
  redis.call('ZREMRANGEBYRANK', KEYS[3], 0, over - 1)
  redis.call('SET', KEYS[2], string.format('%.0f', tonumber(dropped[2])))
end
local previous = string.format('%.0f', last)
local header = cjson.encode({ ARGV[1], text, previous })
local tags = {}
for at = 5, #ARGV do tags[#tags + 1] = ARGV[at] end
if #tags > 0 then
  redis.call('PUBLISH', ARGV[2], header .. '\\n' .. cjson.encode(tags))
end
return { text, previous }
`

const maxTags = 100_000

/**
 * Appends an invalidation, and publishes it to the other processes.
 * @param beyond a position that this process has read. If Redis has lost the log or restored an
 * older copy, the log begins again after this position. If another process has already restarted
 * the log, the script changes nothing, because a second restart would discard that process's
 * entries.
 */
export async function appendScript(
  send: SendCommand,
  names: LogNames,
  { tags, mode, self }: LoggedInvalidation,
  beyond: number | null = null,
): Promise<Appended> {
  const keys = [names.position, names.floors[mode], names[mode]]
  const reply = await send(
    names.position,
    'EVAL',
    append,
    String(keys.length),
    ...keys,
    `${self} ${mode}`,
    names.channel,
    String(maxTags),
    String(beyond ?? -1),
    ...tags,
  )
  const [position = 0, previous = 0] = (reply as Buffer[]).map(Number)
  return { position, previous }
}

/** @returns `null` for a string that isn't an invalidation message */
function decodeMessage(text: string): (LoggedInvalidation & Appended) | null {
  try {
    const [header = '', tags = ''] = text.split('\n')
    const [sender = '', position, previous] = JSON.parse(header) as string[]
    const [self = '', mode] = sender.split(' ')
    if (mode !== 'stale' && mode !== 'expired') return null
    const numbers = { position: Number(position), previous: Number(previous) }
    return { self, mode, tags: JSON.parse(tags) as string[], ...numbers }
  } catch {
    // Another program may write to the channel, so ignore invalid messages.
    return null
  }
}

/** Reads the invalidations after a position. Begins the log again if Redis has lost it. */
export async function readLog(send: SendCommand, names: LogNames, applied: number) {
  const last = Number((await send(names.position, 'GET', names.position)) ?? 0)
  if (last === applied && applied > 0) return null
  if (last < applied || last === 0) {
    await appendScript(send, names, { tags: [], mode: 'stale', self: '' }, applied)
  }
  // Read the positions before the tags: a tag that is appended in between is read again the next time.
  const keys = [names.position, names.floors.stale, names.floors.expired]
  const numbers = (await send(names.position, 'MGET', ...keys)) as (Buffer | null)[]
  const [position = 0, stale = 0, expired = 0] = numbers.map((number) => Number(number ?? 0))
  const since = last < applied ? '-inf' : `(${applied}`
  const marks = await Promise.all(
    invalidationModes.map(async (mode) => {
      const range = [names[mode], since, '+inf', 'BYSCORE', 'WITHSCORES']
      const reply = (await send(names.position, 'ZRANGE', ...range)) as Buffer[]
      // Pair up the values, because the reply alternates between tags and positions.
      return reply.flatMap((tag, at) =>
        at % 2 === 0 ? { tag: String(tag), mode, position: Number(reply[at + 1]) } : [],
      )
    }),
  )
  return { position, floors: { stale, expired }, marks: marks.flat() }
}
