import { randomUUID } from 'node:crypto'
import { createInvalidations, type InvalidationMode, oneAtATime } from 'waymark/drivers'
import { type RedisConnection, type SendCommand, within } from './redisConnection.ts'

export type RedisInvalidationsOptions = {
  readonly connection: RedisConnection
  readonly prefix: string
  readonly catchUpMs: number
  /** How long a request may wait for what was missed during a pause of the process. */
  readonly timeoutMs: number
}

// A log may hold a hundred thousand tags.
const readMs = 5_000

/**
 * Follows the log of invalidations, which Redis numbers by its own clock: a message brings each at
 * once, with the number before it, so that a lost message is noticed at the next one; and the last
 * number is read every second.
 */
export function createRedisInvalidations(options: RedisInvalidationsOptions) {
  const { connection, prefix, catchUpMs, timeoutMs } = options
  const self = randomUUID()
  const names = logNames(prefix)
  const invalidations = createInvalidations(append)
  const { addOwn, addOthers } = invalidations
  // Number of the last invalidation that is known here, with all before it.
  let known = 0

  let isReading = false

  const readNew = oneAtATime(async () => {
    isReading = true
    const read = await connection
      .run(null, (send) => readLog(send, names, known), readMs)
      .finally(() => {
        isReading = false
      })
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
  /** Resolves once all that was invalidated before the call is known, or Redis turned out to be away. */
  async function readAll(): Promise<void> {
    // The reply to a reading that is under way may have been sent before a pause of the process.
    if (isReading) await readNew()
    await readNew()
  }

  const pauses = createPauseWatch(2 * catchUpMs)
  async function catchUp(): Promise<void> {
    const pause = pauses.latest()
    // A server that hangs must not hold up each request: the next readings go on without them.
    await within(timeoutMs, readAll()).catch(() => {})
    pauses.caughtUp(pause)
  }

  const sendAndRead = () => invalidations.sendPending().then(readNew)
  connection.onBack(sendAndRead)
  // What was refused is sent later, too: a full Redis is there all the time.
  const timer = setInterval(() => {
    pauses.look()
    void sendAndRead()
  }, catchUpMs)
  timer.unref()

  return {
    position: () => known,
    /** Resolves once what was invalidated before is known, if Redis is there. */
    readNew,
    catchUp,
    isBehind: pauses.look,
    send: invalidations.send,
    freshness: invalidations.freshness,
    onInvalidated: invalidations.onInvalidated,
    close: () => clearInterval(timer),
  }
}

/**
 * Notices that a process was frozen, by its host or a signal, from the gap that a timer has left: the
 * messages of that time are still unread, or were lost with the connection.
 */
export function createPauseWatch(maxGapMs: number, now: () => number = () => Date.now()) {
  let seenAtMs = now()
  let pauses = 0
  let caughtUp = 0
  return {
    /** Called by the timer, and by each request. @returns true from a pause on, until it is caught up */
    look(): boolean {
      const nowMs = now()
      // A clock that was set back hides how long the pause was.
      if (Math.abs(nowMs - seenAtMs) > maxGapMs) pauses++
      seenAtMs = nowMs
      return pauses > caughtUp
    },
    /** Number of the latest pause. */
    latest: () => pauses,
    caughtUp(pause: number): void {
      caughtUp = Math.max(caughtUp, pause)
    },
  }
}

const invalidationModes: readonly InvalidationMode[] = ['stale', 'expired']

type LogNames = ReturnType<typeof logNames>

/** Names the keys of an app's log. They share a hash tag: a cluster has them on one server. */
export function logNames(prefix: string) {
  const name = (end: string) => `${prefix}:{log}:${end}`
  return {
    /** Number of the last invalidation. */
    position: name('position'),
    /** Numbers below which it is not known any more which tags were invalidated, in each way. */
    floors: { stale: name('floor:stale'), expired: name('floor:expired') },
    /** Tags by the number of their last invalidation. */
    stale: name('stale'),
    expired: name('expired'),
    channel: `${prefix}:invalidated`,
  }
}

/** One invalidation, and the process that it is of. */
type LoggedInvalidation = {
  readonly tags: readonly string[]
  readonly mode: InvalidationMode
  readonly self: string
}

/** The number of an invalidation in the log, and that of the one before it. */
type Appended = { readonly position: number; readonly previous: number }

// Numbers are microseconds of Redis's clock: after a loss of the log they go on growing. Lua and
// JSON would write them with 14 digits, so they travel as text.
const append = `
local now = redis.call('TIME')
local last = tonumber(redis.call('GET', KEYS[1]) or '0')
local known = tonumber(ARGV[4])
if known >= 0 and last > 0 and last >= known then
  local begun = string.format('%.0f', last)
  return { begun, begun }
end
local position = math.max(now[1] * 1000000 + now[2], last + 1, known + 1)
local text = string.format('%.0f', position)
redis.call('SET', KEYS[1], text)
if last == 0 or known >= 0 then redis.call('SET', KEYS[2], text) end
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
 * Appends an invalidation, and notifies all who listen.
 * @param beyond begins the log again, past this number, where it is lost or behind it: unless
 *   another process has done so since, with whose entries a second beginning would do away
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

/** Reads a message. @returns `null` for what is none */
function decodeMessage(text: string): (LoggedInvalidation & Appended) | null {
  try {
    const [header = '', tags = ''] = text.split('\n')
    const [sender = '', position, previous] = JSON.parse(header) as string[]
    const [self = '', mode] = sender.split(' ')
    if (mode !== 'stale' && mode !== 'expired') return null
    const numbers = { position: Number(position), previous: Number(previous) }
    return { self, mode, tags: JSON.parse(tags) as string[], ...numbers }
  } catch {
    // Somebody else writes to the channel.
    return null
  }
}

/** Reads what was appended since a position. A log that is not there any more is begun again. */
export async function readLog(send: SendCommand, names: LogNames, known: number) {
  const last = Number((await send(names.position, 'GET', names.position)) ?? 0)
  if (last === known && known > 0) return null
  if (last < known || last === 0) {
    await appendScript(send, names, { tags: [], mode: 'stale', self: '' }, known)
  }
  // The numbers first: what comes after them is read again the next time.
  const keys = [names.position, names.floors.stale, names.floors.expired]
  const numbers = (await send(names.position, 'MGET', ...keys)) as (Buffer | null)[]
  const [position = 0, stale = 0, expired = 0] = numbers.map((number) => Number(number ?? 0))
  const since = last < known ? '-inf' : `(${known}`
  const marks = await Promise.all(
    invalidationModes.map(async (mode) => {
      const range = [names[mode], since, '+inf', 'BYSCORE', 'WITHSCORES']
      const reply = (await send(names.position, 'ZRANGE', ...range)) as Buffer[]
      // Tags and numbers take turns.
      return reply.flatMap((tag, at) =>
        at % 2 === 0 ? { tag: String(tag), mode, position: Number(reply[at + 1]) } : [],
      )
    }),
  )
  return { position, floors: { stale, expired }, marks: marks.flat() }
}
