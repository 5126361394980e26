import { loggableAddress, type RedisAddress } from './redisAddress.ts'
import { connectTimeoutMs, createRedisClient, type RedisArgument } from './redisClients.ts'

/** Sends a command to the server that holds a key. */
export type SendCommand = (key: string, ...args: readonly RedisArgument[]) => Promise<unknown>

/** A connection that may be lost: whoever uses it goes on without. */
export type RedisConnection = {
  /**
   * Runs commands. While Redis is away, or when it takes too long or responds with an error, there
   * is the fallback instead; the log says so once. If the connection breaks, they wait until it is
   * made again and run once more, so that running them twice must do no harm.
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
  const host = loggableAddress(address)
  const reportRefusal = createRefusalLog((reason) =>
    log(`Redis at ${host} refuses a command: ${reason}.`),
  )
  const health = watchHealth({
    probe: () => within(connectTimeoutMs, client.reach()),
    reconnect: () => within(defaultMs, client.reach()),
    onAway: (error) => log(`Redis at ${host} is away: ${reasonOf(error)}. ${meanwhile}`),
    onReturn: () => log(`Redis at ${host} is back.`),
  })
  client.onLost(health.broken)
  await health.stateSettled

  return {
    async run(fallback, commands, timeoutMs = defaultMs) {
      const attempt = () =>
        within(
          timeoutMs,
          commands((key, ...args) => client.send(key, args)),
        )
      for (let isRepeated = false; ; isRepeated = true) {
        if (!health.isUp() && !(await health.isRecovered())) return fallback
        try {
          return await attempt()
        } catch (error) {
          if (client.isRefusal(error)) {
            reportRefusal(reasonOf(error))
            return fallback
          }
          const isBroken = !(error instanceof TimeoutError) && !isRepeated
          if (!isBroken || !(await health.recover(error))) {
            health.lost(error)
            return fallback
          }
        }
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

class TimeoutError extends Error {
  override readonly name = 'TimeoutError'
}

/** If a timer runs later than this, the process was frozen. */
const maxLatenessMs = 250

/** @throws if a command takes longer than its limit; time in which the process was frozen does not count */
// A single promise in place of `Promise.race()`, because every command runs through this function.
export function within<T>(timeoutMs: number, running: Promise<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const fail = () => reject(new TimeoutError(`it did not answer within ${timeoutMs} ms`))
    const startedAtMs = Date.now()
    let timer = setTimeout(() => {
      const wasFrozen = Date.now() - startedAtMs > timeoutMs + maxLatenessMs
      // The server has had no time to respond to a process that was frozen.
      if (wasFrozen) timer = setTimeout(fail, timeoutMs)
      else fail()
    }, timeoutMs)
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

// A connection that breaks again within this time is not made again at once.
const recoveryPauseMs = 1_000

type HealthOptions = {
  /** Rejects when the server does not respond. */
  readonly probe: () => Promise<unknown>
  /** The same while commands wait. */
  readonly reconnect: () => Promise<unknown>
  readonly onAway: (error: unknown) => void
  readonly onReturn: () => void
}

/** Watches a server: while it is away it is probed from time to time. */
function watchHealth({ probe, reconnect, onAway, onReturn }: HealthOptions) {
  const listeners: (() => Promise<void>)[] = []
  // While it returns, commands run, and nobody is told: it may be lost again at once.
  let state: 'unknown' | 'up' | 'recovering' | 'away' | 'returning' | 'closed' = 'unknown'
  let recovery: Promise<boolean> | null = null
  let recoveredAtMs = Number.NEGATIVE_INFINITY
  let isBrokenAgain = false
  let isReportedAway = false
  let isProbing = false
  let pauseMs = probeMs
  let pauseEndMs = 0
  let connectedAtMs = Number.NEGATIVE_INFINITY
  let settle!: () => void
  /** Resolves after the first connection attempt has succeeded or failed. */
  const stateSettled = new Promise<void>((resolve) => (settle = resolve))

  function lost(error: unknown): void {
    if (state === 'away' || state === 'closed') return
    const nowMs = Date.now()
    pauseMs = nowMs - connectedAtMs > steadyMs ? probeMs : Math.min(pauseMs * 2, longestPauseMs)
    pauseEndMs = nowMs + pauseMs - probeMs
    state = 'away'
    if (!isReportedAway) onAway(error)
    isReportedAway = true
    settle()
  }

  /** A connection broke. A server closes those that were idle, or of a process that was frozen. */
  function broken(error: unknown): void {
    if (recovery) isBrokenAgain = true
    else if (state === 'up') void recover(error)
    else lost(error)
  }

  /** Connects again, unless Redis is known to be away. @returns true if Redis is there */
  async function recover(error: unknown): Promise<boolean> {
    if (state === 'up' && Date.now() - recoveredAtMs > recoveryPauseMs) {
      recovery = connectAgain().finally(() => {
        recovery = null
      })
    }
    if (recovery) return recovery
    lost(error)
    return false
  }

  async function connectAgain(): Promise<boolean> {
    state = 'recovering'
    // The connection for messages and the other one break one after the other.
    for (let tries = 1; tries <= 2; tries++) {
      isBrokenAgain = false
      try {
        await reconnect()
        if (!isBrokenAgain) break
      } catch (error) {
        if (!isBrokenAgain || tries === 2) lost(error)
      }
      if ((state as string) !== 'recovering') return false
    }
    if ((state as string) !== 'recovering') return false
    recoveredAtMs = Date.now()
    state = 'up'
    // Commands don't wait for them: the commands of a listener may be among those that wait.
    for (const listener of listeners) void listener()
    return true
  }

  async function look(): Promise<void> {
    if (isProbing || recovery || state === 'up' || state === 'closed' || Date.now() < pauseEndMs)
      return
    isProbing = true
    try {
      await probe()
      if ((state as string) === 'closed') return
      state = state === 'away' ? 'returning' : 'up'
      connectedAtMs = Date.now()
      for (const listener of listeners) await listener()
      settle()
      if ((state as string) !== 'returning') return
      state = 'up'
      isReportedAway = false
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
    stateSettled,
    lost,
    broken,
    recover,
    /** @returns true once a connection that broke a moment ago is made again */
    isRecovered: async () => (recovery ? recovery : false),
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
