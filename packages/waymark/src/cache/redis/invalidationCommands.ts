import type { SendCommand } from '../../redis/redisConnection.ts'
import type { InvalidationMode } from '../cacheDriver.ts'

/** The keys of the log. They share a hash tag: a cluster keeps them on one server. */
export type LogNames = {
  /** Number of the last invalidation. */
  readonly position: string
  /** Numbers below which it is not known any more which tags were invalidated, in each way. */
  readonly floors: Readonly<Record<InvalidationMode, string>>
  /** Tags by the number of their last invalidation. */
  readonly stale: string
  readonly expired: string
  readonly channel: string
}

/** Names the keys of an app's log. */
export function logNames(prefix: string): LogNames {
  const name = (end: string) => `${prefix}:{log}:${end}`
  return {
    position: name('position'),
    floors: { stale: name('floor:stale'), expired: name('floor:expired') },
    stale: name('stale'),
    expired: name('expired'),
    channel: `${prefix}:invalidated`,
  }
}

/** One invalidation as it is appended. */
export type Appended = {
  readonly tags: readonly string[]
  readonly mode: InvalidationMode
  readonly self: string
}

/** One invalidation as others hear of it. */
export type LogMessage = Appended & {
  readonly position: number
  /** The number of the one before it. */
  readonly previous: number
}

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
 * Appends an invalidation, and tells all who listen.
 * @param beyond begins the log anew, past this number, where it is lost or behind it: unless
 *   another process has done so since, with whose entries a second beginning would do away
 */
export async function appendScript(
  send: SendCommand,
  names: LogNames,
  { tags, mode, self }: Appended,
  beyond: number | null = null,
): Promise<{ position: number; previous: number }> {
  const keys = [names.position, names.floors[mode], names[mode]]
  const sender = `${self} ${mode}`
  const reply = await send(
    names.position,
    'EVAL',
    append,
    String(keys.length),
    ...keys,
    sender,
    names.channel,
    String(maxTags),
    String(beyond ?? -1),
    ...tags,
  )
  const [position, previous] = (reply as Buffer[]).map(Number)
  return { position: position ?? 0, previous: previous ?? 0 }
}

/** Reads a message. @returns `null` for what is none */
export function decodeMessage(text: string): LogMessage | null {
  try {
    const [header = '', tags = ''] = text.split('\n')
    const [sender = '', position, previous] = JSON.parse(header) as string[]
    const [self = '', mode] = sender.split(' ')
    if (mode !== 'stale' && mode !== 'expired') return null
    return {
      self,
      mode,
      tags: JSON.parse(tags) as string[],
      position: Number(position),
      previous: Number(previous),
    }
  } catch {
    // Somebody else writes to the channel.
    return null
  }
}

/** What was appended since a position. */
export type LogPart = {
  readonly position: number
  readonly floors: Readonly<Record<InvalidationMode, number>>
  readonly marks: readonly { tag: string; mode: InvalidationMode; position: number }[]
}

/** Reads what was appended since a position. A log that is not there any more is begun anew. */
export async function readLog(
  send: SendCommand,
  names: LogNames,
  known: number,
): Promise<LogPart | null> {
  const found = await send(names.position, 'GET', names.position)
  const last = Number(found ?? 0)
  if (last === known && known > 0) return null
  if (last < known || last === 0) {
    const begin = { tags: [], mode: 'stale', self: '' } as const
    await appendScript(send, names, begin, known)
  }
  // The number first: what comes after it is read again the next time.
  const position = Number(await send(names.position, 'GET', names.position))
  const floorOf = async (mode: InvalidationMode) =>
    Number((await send(names.floors[mode], 'GET', names.floors[mode])) ?? 0)
  const floors = { stale: await floorOf('stale'), expired: await floorOf('expired') }
  const since = last < known ? '-inf' : `(${known}`
  const parts = await Promise.all(
    (['stale', 'expired'] as const).map(async (mode) => {
      const reply = await send(
        names[mode],
        'ZRANGE',
        names[mode],
        since,
        '+inf',
        'BYSCORE',
        'WITHSCORES',
      )
      return pairsOf(reply as Buffer[]).map((pair) => ({ ...pair, mode }))
    }),
  )
  return { position, floors, marks: parts.flat() }
}

function pairsOf(reply: readonly Buffer[]): { tag: string; position: number }[] {
  const pairs: { tag: string; position: number }[] = []
  for (let at = 0; at + 1 < reply.length; at += 2) {
    pairs.push({ tag: String(reply[at]), position: Number(reply[at + 1]) })
  }
  return pairs
}
