import {
  createHttpClient,
  LostConnectionError,
  RefusedError,
  UnavailableError,
} from './httpClient.ts'
import { loggableAddress } from './redisAddress.ts'
import {
  createRefusalLog,
  type RedisConnection,
  type RedisConnectionOptions,
  reasonOf,
  within,
} from './redisConnection.ts'

// Maximum time for the first commands, and for a command that finds out if Redis is available again.
const probeTimeoutMs = 2_000

/**
 * Sends commands to Redis as HTTP requests, for hosts that can't open other connections. Nothing is open
 * between the commands, and nothing needs a timer, because workers only run during requests. A worker may
 * also stop at any `await`, so no request waits for a promise of another request.
 */
export function connectOverHttp({
  address,
  log,
  meanwhile,
  timeoutMs = 1_000,
}: RedisConnectionOptions): RedisConnection {
  const client = createHttpClient(address, timeoutMs)
  const host = loggableAddress(address)
  const reportRefusal = createRefusalLog((reason) =>
    log(`Redis at ${host} refused a command: ${reason}.`),
  )
  const health = trackHealth({
    onAway: (error) => log(`Redis at ${host} is unavailable: ${reasonOf(error)}. ${meanwhile}`),
    onReturn: () => log(`Redis at ${host} is available again.`),
  })

  return {
    timeoutMs,
    async run(fallback, commands, limitMs = timeoutMs) {
      for (let isRepeated = false; ; isRepeated = true) {
        if (!health.mayTry()) return fallback
        const limit = health.isProven() ? limitMs : Math.min(limitMs, probeTimeoutMs)
        const requests = new AbortController()
        try {
          const result = await within(limit, commands(client.createSender(requests.signal)))
          health.responded()
          return result
        } catch (error) {
          requests.abort()
          if (error instanceof RefusedError) {
            health.responded()
            reportRefusal(reasonOf(error))
            return fallback
          }
          // Repeat at once after a lost connection, because servers close idle connections, also of
          // processes that were frozen.
          if (error instanceof LostConnectionError && !isRepeated) continue
          health.failed(error)
          return fallback
        }
      }
    },
    // The log of invalidations is polled instead. A long response would be a connection, which hosts with
    // only HTTP end, and which not every server of this protocol offers.
    subscribe: () => false,
    onBack: health.onBack,
    async close() {
      health.close()
    },
  }
}

const firstPauseMs = 500
const longestPauseMs = 30_000
// If a server fails again within this time, the pauses before the next attempts grow.
const steadyMs = 10_000

type HealthOptions = {
  readonly onAway: (error: unknown) => void
  readonly onReturn: () => void
}

/** Tracks by the results of commands if Redis is available. */
function trackHealth({ onAway, onReturn }: HealthOptions) {
  const listeners: (() => Promise<void>)[] = []
  let state: 'unknown' | 'up' | 'away' | 'closed' = 'unknown'
  let pauseMs = firstPauseMs
  let nextTryMs = 0
  let backAtMs = Number.NEGATIVE_INFINITY

  return {
    isProven: () => state === 'up',
    /** @returns true if a command may be sent now. After a pause, one command may find out. */
    mayTry(): boolean {
      if (state === 'closed') return false
      if (state !== 'away') return true
      const nowMs = Date.now()
      if (nowMs < nextTryMs) return false
      nextTryMs = nowMs + pauseMs
      return true
    },
    responded(): void {
      if (state === 'up' || state === 'closed') return
      const wasAway = state === 'away'
      state = 'up'
      if (!wasAway) return
      backAtMs = Date.now()
      onReturn()
      for (const listener of listeners) void listener()
    },
    failed(error: unknown): void {
      if (state === 'closed') return
      const nowMs = Date.now()
      if (state === 'away') pauseMs = Math.min(pauseMs * 2, longestPauseMs)
      else if (nowMs - backAtMs > steadyMs) pauseMs = firstPauseMs
      nextTryMs = nowMs + Math.max(pauseMs, retryAfterMsOf(error))
      if (state !== 'away') onAway(error)
      state = 'away'
    },
    onBack: (listener: () => Promise<void>) => void listeners.push(listener),
    close(): void {
      state = 'closed'
    },
  }
}

/** Time after which an overloaded server accepts requests again. */
function retryAfterMsOf(error: unknown): number {
  if (!(error instanceof UnavailableError)) return 0
  return Math.min(error.retryAfterMs, longestPauseMs)
}
