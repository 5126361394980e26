import { loggableAddress, type RedisAddress } from './redisAddress.ts'
import { connectTimeoutMs, createRedisClient, type RedisArgument } from './redisClients.ts'

/** Sends a command to the server that holds a key. */
export type SendCommand = (key: string, ...args: readonly RedisArgument[]) => Promise<unknown>

/** A connection that may be lost, in which case its users continue without Redis. */
export type RedisConnection = {
  /**
   * Runs commands. If Redis is unavailable, takes too long or responds with an error, returns the
   * fallback and logs the problem once. If the connection breaks, the commands wait for a new connection
   * and run once more, so running them twice must be harmless.
   * @param timeoutMs limit for all commands together; default: the connection's limit
   */
  run<T>(fallback: T, commands: (send: SendCommand) => Promise<T>, timeoutMs?: number): Promise<T>
  subscribe(channel: string, listener: (message: string) => void): void
  /**
   * Calls `listener` each time Redis becomes available, and at once if it already is. The listener may
   * run commands.
   */
  onBack(listener: () => Promise<void>): void
  close(): Promise<void>
}

export type RedisConnectionOptions = {
  readonly address: RedisAddress
  /** Called once when Redis becomes unavailable, and once when it is available again. */
  readonly log: (line: string) => void
  /** Sentence for the log about the app's behaviour without Redis, such as "The cache is in memory." */
  readonly meanwhile: string
  /** Time limit of commands. Default: 500 ms. */
  readonly timeoutMs?: number | undefined
}

/**
 * Connects to Redis.
 * @returns the connection, once Redis has responded or turned out to be unavailable; retries until
 * `close`
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
    log(`Redis at ${host} refused a command: ${reason}.`),
  )
  const health = watchHealth({
    probe: () => within(connectTimeoutMs, client.reach()),
    reconnect: () => within(defaultMs, client.reach()),
    onAway: (error) => log(`Redis at ${host} is unavailable: ${reasonOf(error)}. ${meanwhile}`),
    onReturn: () => log(`Redis at ${host} is available again.`),
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

/** If a timer fires later than this, the process was frozen. */
const maxLatenessMs = 250

/** @throws if a command exceeds its time limit. Time in which the process was frozen doesn't count. */
// Create one promise instead of using `Promise.race()`, because every command runs through this function.
export function within<T>(timeoutMs: number, running: Promise<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const fail = () => reject(new TimeoutError(`it did not respond within ${timeoutMs} ms`))
    const startedAtMs = Date.now()
    let timer = setTimeout(() => {
      const wasFrozen = Date.now() - startedAtMs > timeoutMs + maxLatenessMs
      // Grant the full time again after the process was frozen, because the response couldn't be read
      // during that time.
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

/** Limits how often the same reason is logged, because a full Redis refuses every write. */
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
  return message.replace(/\.$/, '') || "it can't be reached"
}

const probeMs = 500
// If a server fails again within this time, the pauses before the next attempts grow.
const steadyMs = 10_000
const longestPauseMs = 30_000

// If a connection breaks again within this time, it isn't reopened at once.
const recoveryPauseMs = 1_000

type HealthOptions = {
  /** Rejects if the server doesn't respond. */
  readonly probe: () => Promise<unknown>
  /** Probes like `probe`, but with the time limit for waiting commands. */
  readonly reconnect: () => Promise<unknown>
  readonly onAway: (error: unknown) => void
  readonly onReturn: () => void
}

/** Tracks if a server is available, and probes it at intervals while it isn't. */
function watchHealth({ probe, reconnect, onAway, onReturn }: HealthOptions) {
  const listeners: (() => Promise<void>)[] = []
  // In the state `returning`, commands run but nothing is logged, because the server may be lost again
  // at once.
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

  /** Handles a broken connection. Servers close idle connections, and connections of frozen processes. */
  function broken(error: unknown): void {
    if (recovery) isBrokenAgain = true
    else if (state === 'up') void recover(error)
    else lost(error)
  }

  /** Connects again, unless Redis is known to be unavailable. @returns true if Redis is available */
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
    // Try twice, because the connections for commands and for messages don't break at the same time.
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
    // Don't await the listeners, because their commands may be among those that wait for this recovery.
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
    /** @returns true once a connection that broke a moment ago has been reopened */
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
