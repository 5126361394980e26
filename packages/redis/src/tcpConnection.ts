import { loggableAddress } from './redisAddress.ts'
import {
  createRefusalLog,
  type RedisConnection,
  type RedisConnectionOptions,
  reasonOf,
  TimeoutError,
  within,
} from './redisConnection.ts'
import { connectTimeoutMs, createRedisClient } from './tcpClients.ts'

/**
 * Connects to Redis over TCP.
 * @returns the connection, once Redis has responded or turned out to be unavailable; retries until
 * `close`
 */
export async function connectOverTcp({
  address,
  log,
  meanwhile,
  timeoutMs = 500,
}: RedisConnectionOptions): Promise<RedisConnection> {
  const client = createRedisClient(address)
  const host = loggableAddress(address)
  const reportRefusal = createRefusalLog((reason) =>
    log(`Redis at ${host} refused a command: ${reason}.`),
  )
  const health = watchHealth({
    probe: () => within(connectTimeoutMs, client.reach()),
    reconnect: () => within(timeoutMs, client.reach()),
    onAway: (error) => log(`Redis at ${host} is unavailable: ${reasonOf(error)}. ${meanwhile}`),
    onReturn: () => log(`Redis at ${host} is available again.`),
  })
  client.onLost(health.broken)
  await health.stateSettled

  return {
    timeoutMs,
    async run(fallback, commands, limitMs = timeoutMs) {
      const attempt = () =>
        within(
          limitMs,
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
      return true
    },
    onBack: health.onBack,
    async close() {
      health.close()
      client.destroy()
    },
  }
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
