import { type RedisAddress, shownAddress } from './redisAddress.ts'
import {
  connectTimeoutMs,
  createRedisClient,
  type RedisArgument,
  type RedisClient,
} from './redisClients.ts'

/** Sends a command to the server that holds a key. */
export type SendCommand = (key: string, ...args: readonly RedisArgument[]) => Promise<unknown>

/** A connection that may be lost: whoever uses it goes on without. */
export type RedisConnection = {
  /**
   * Runs commands. While Redis is away, or when it takes too long or answers with an error, there
   * is the fallback instead; the log says so once.
   * @param timeoutMs for all of them together, where it is not that of the connection
   */
  run<T>(fallback: T, commands: (send: SendCommand) => Promise<T>, timeoutMs?: number): Promise<T>
  subscribe(channel: string, listener: (message: string) => void): void
  /** Called each time Redis is there, and at once if it is; it may run commands. */
  onBack(listener: () => Promise<void>): void
  close(): Promise<void>
}

/** How a connection is made. */
export type RedisConnectionOptions = {
  readonly address: RedisAddress
  /** Hears once that Redis is away, and once that it is back. */
  readonly log: (line: string) => void
  /** What goes on meanwhile, as the log says it: `The cache goes on in memory.` */
  readonly meanwhile: string
  /** Default 500 ms. */
  readonly timeoutMs?: number | undefined
}

/**
 * Connects to Redis.
 * @returns once it is there, or has turned out to be away: it is tried again until `close`
 * @throws `REDIS_NOT_INSTALLED`
 */
export async function connectToRedis(options: RedisConnectionOptions): Promise<RedisConnection> {
  const client = await createRedisClient(options.address)
  return openConnection(client, options)
}

async function openConnection(
  client: RedisClient,
  { address, log, meanwhile, timeoutMs: defaultMs = 500 }: RedisConnectionOptions,
): Promise<RedisConnection> {
  const host = shownAddress(address)
  const refusals = createRefusals((reason) => log(`Redis at ${host} refuses a command: ${reason}.`))
  const presence = createConnectionHealth({
    probe: () => within(connectTimeoutMs, client.reach()),
    onAway: (error) => log(`Redis at ${host} is away: ${reasonOf(error)}. ${meanwhile}`),
    onReturn: () => log(`Redis at ${host} is back.`),
  })
  client.onLost(presence.lost)
  presence.look()
  await presence.isKnown

  return {
    async run(fallback, commands, timeoutMs = defaultMs) {
      if (!presence.isUp) return fallback
      try {
        return await within(
          timeoutMs,
          commands((key, ...args) => client.send(key, args)),
        )
      } catch (error) {
        if (client.isRefusal(error)) refusals(reasonOf(error))
        else presence.lost(error)
        return fallback
      }
    },
    subscribe(channel, listener) {
      client.subscribe(channel, listener).catch(presence.lost)
    },
    onBack: presence.onBack,
    async close() {
      presence.close()
      client.destroy()
    },
  }
}

// One promise and no race: it stands around every command.
function within<T>(timeoutMs: number, running: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const fail = () => reject(new Error(`it did not answer within ${timeoutMs} ms`))
    const timer = setTimeout(fail, timeoutMs)
    running.then(
      (result) => {
        clearTimeout(timer)
        resolve(result)
      },
      (error: unknown) => {
        clearTimeout(timer)
        reject(error)
      },
    )
  })
}

const sameRefusalMs = 600_000

/** Tells of each reason once in a while: a full Redis refuses every write. */
function createRefusals(tell: (reason: string) => void): (reason: string) => void {
  let last = { reason: '', atMs: 0 }
  return (reason) => {
    if (reason === last.reason && Date.now() - last.atMs < sameRefusalMs) return
    last = { reason, atMs: Date.now() }
    tell(reason)
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0])
  const message = error instanceof Error ? error.message : String(error)
  return message.replace(/\.$/, '') || 'it can not be reached'
}

/** Whether a server is there. */
export type ConnectionHealth = {
  readonly isUp: boolean
  /** Resolves once it is known for the first time. */
  readonly isKnown: Promise<void>
  /** Says that it does not answer. */
  lost(error: unknown): void
  /** Looks whether it is there. */
  look(): void
  /** Called each time it is there, and at once if it is. */
  onBack(listener: () => Promise<void>): void
  close(): void
}

/** How a server is watched. */
export type ConnectionHealthOptions = {
  /** Rejects when it does not answer. */
  readonly probe: () => Promise<unknown>
  readonly onAway: (error: unknown) => void
  readonly onReturn: () => void
}

const probeMs = 500
// One that comes and goes is left alone for longer each time.
const steadyMs = 10_000
const longestPauseMs = 30_000

/** Watches a server: while it is away it is asked from time to time. */
export function createConnectionHealth({
  probe,
  onAway,
  onReturn,
}: ConnectionHealthOptions): ConnectionHealth {
  const listeners: (() => Promise<void>)[] = []
  let state: 'unknown' | 'up' | 'away' | 'closed' = 'unknown'
  let isLooking = false
  const pauses = createPauses()
  let settle!: () => void
  const isKnown = new Promise<void>((resolve) => (settle = resolve))

  function lost(error: unknown): void {
    if (state === 'away' || state === 'closed') return
    pauses.lost(Date.now())
    state = 'away'
    settle()
    onAway(error)
  }

  async function look(): Promise<void> {
    if (isLooking || state === 'up' || state === 'closed' || Date.now() < pauses.endMs) return
    isLooking = true
    const wasAway = state === 'away'
    try {
      await probe()
      if ((state as string) === 'closed') return
      state = 'up'
      pauses.found(Date.now())
      for (const listener of listeners) await listener()
      settle()
      if (wasAway && state === 'up') onReturn()
    } catch (error) {
      lost(error)
    } finally {
      isLooking = false
    }
  }

  const probing = setInterval(() => void (state === 'away' && look()), probeMs).unref()

  return {
    get isUp() {
      return state === 'up'
    },
    isKnown,
    lost,
    look: () => void look(),
    onBack(listener) {
      listeners.push(listener)
      if (state === 'up') void listener()
    },
    close() {
      state = 'closed'
      clearInterval(probing)
    },
  }
}

/** How long a server is left alone. */
function createPauses() {
  let pauseMs = probeMs
  let foundAtMs = Number.NEGATIVE_INFINITY
  let endMs = 0
  return {
    get endMs() {
      return endMs
    },
    found(nowMs: number): void {
      foundAtMs = nowMs
    },
    lost(nowMs: number): void {
      pauseMs = nowMs - foundAtMs > steadyMs ? probeMs : Math.min(pauseMs * 2, longestPauseMs)
      endMs = nowMs + pauseMs - probeMs
    },
  }
}
