import { type RedisAddress, shownAddress } from './redisAddress.ts'
import { connectTimeoutMs, createRedisClient, type RedisArgument } from './redisClients.ts'

/** Sends a command to the server that holds a key. */
export type SendCommand = (key: string, ...args: readonly RedisArgument[]) => Promise<unknown>

/** A connection that may be lost: whoever uses it goes on without. */
export type RedisConnection = {
  /**
   * Runs commands. While Redis is away, or when it takes too long or responds with an error, there
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
  /** Called once when Redis is away, and once when it is back. */
  readonly log: (line: string) => void
  /** What goes on meanwhile, as the log says it: `The cache goes on in memory.` */
  readonly meanwhile: string
  /** Default 500 ms. */
  readonly timeoutMs?: number | undefined
}

/**
 * Connects to Redis.
 * @returns once it is there, or has turned out to be away: it is tried again until `close`
 */
export async function connectToRedis({
  address,
  log,
  meanwhile,
  timeoutMs: defaultMs = 500,
}: RedisConnectionOptions): Promise<RedisConnection> {
  const client = createRedisClient(address)
  const host = shownAddress(address)
  const reportRefusal = createRefusalLog((reason) =>
    log(`Redis at ${host} refuses a command: ${reason}.`),
  )
  const health = watchHealth({
    probe: () => within(connectTimeoutMs, client.reach()),
    onAway: (error) => log(`Redis at ${host} is away: ${reasonOf(error)}. ${meanwhile}`),
    onReturn: () => log(`Redis at ${host} is back.`),
  })
  client.onLost(health.lost)
  await health.isKnown

  return {
    async run(fallback, commands, timeoutMs = defaultMs) {
      if (!health.isUp()) return fallback
      try {
        return await within(
          timeoutMs,
          commands((key, ...args) => client.send(key, args)),
        )
      } catch (error) {
        if (client.isRefusal(error)) reportRefusal(reasonOf(error))
        else health.lost(error)
        return fallback
      }
    },
    subscribe(channel, listener) {
      client.subscribe(channel, listener).catch(health.lost)
    },
    onBack: health.onBack,
    async close() {
      health.close()
      client.destroy()
    },
  }
}

// One promise and no race: it stands around every command.
function within<T>(timeoutMs: number, running: Promise<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const fail = () => reject(new Error(`it did not answer within ${timeoutMs} ms`))
    const timer = setTimeout(fail, timeoutMs)
    const settling =
      <Value>(settle: (value: Value) => void) =>
      (value: Value) => {
        clearTimeout(timer)
        settle(value)
      }
    running.then(settling(resolve), settling(reject))
  })
}

const sameRefusalMs = 600_000

/** Reports each reason once in a while: a full Redis refuses every write. */
function createRefusalLog(report: (reason: string) => void): (reason: string) => void {
  let last = { reason: '', atMs: 0 }
  return (reason) => {
    if (reason === last.reason && Date.now() - last.atMs < sameRefusalMs) return
    last = { reason, atMs: Date.now() }
    report(reason)
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0])
  const message = error instanceof Error ? error.message : String(error)
  return message.replace(/\.$/, '') || 'it can not be reached'
}

const probeMs = 500
// One that comes and goes is left alone for longer each time.
const steadyMs = 10_000
const longestPauseMs = 30_000

type HealthOptions = {
  /** Rejects when the server does not respond. */
  readonly probe: () => Promise<unknown>
  readonly onAway: (error: unknown) => void
  readonly onReturn: () => void
}

/** Watches a server: while it is away it is probed from time to time. */
function watchHealth({ probe, onAway, onReturn }: HealthOptions) {
  const listeners: (() => Promise<void>)[] = []
  // While it returns, commands run, and nobody is told: it may be lost again at once.
  let state: 'unknown' | 'up' | 'away' | 'returning' | 'closed' = 'unknown'
  let isProbing = false
  let pauseMs = probeMs
  let pauseEndMs = 0
  let foundAtMs = Number.NEGATIVE_INFINITY
  let settle!: () => void
  /** Resolves once it is known for the first time whether it is there. */
  const isKnown = new Promise<void>((resolve) => (settle = resolve))

  function lost(error: unknown): void {
    if (state === 'away' || state === 'closed') return
    const nowMs = Date.now()
    pauseMs = nowMs - foundAtMs > steadyMs ? probeMs : Math.min(pauseMs * 2, longestPauseMs)
    pauseEndMs = nowMs + pauseMs - probeMs
    if (state !== 'returning') onAway(error)
    state = 'away'
    settle()
  }

  async function look(): Promise<void> {
    if (isProbing || state === 'up' || state === 'closed' || Date.now() < pauseEndMs) return
    isProbing = true
    try {
      await probe()
      if ((state as string) === 'closed') return
      state = state === 'away' ? 'returning' : 'up'
      foundAtMs = Date.now()
      for (const listener of listeners) await listener()
      settle()
      if ((state as string) !== 'returning') return
      state = 'up'
      onReturn()
    } catch (error) {
      lost(error)
    } finally {
      isProbing = false
    }
  }

  void look()
  const probing = setInterval(() => void (state === 'away' && look()), probeMs).unref()

  return {
    isUp: () => state === 'up' || state === 'returning',
    isKnown,
    lost,
    onBack(listener: () => Promise<void>): void {
      listeners.push(listener)
      if (state === 'up') void listener()
    },
    close(): void {
      state = 'closed'
      clearInterval(probing)
    },
  }
}
