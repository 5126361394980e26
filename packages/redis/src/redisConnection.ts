import type { RedisAddress } from './redisAddress.ts'

/** An argument of a command. */
export type RedisArgument = string | Buffer

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
  /** Time limit of commands, in milliseconds. */
  readonly timeoutMs: number
  /** @returns false if the connection can't receive messages */
  subscribe(channel: string, listener: (message: string) => void): boolean
  /**
   * Calls `listener` each time Redis becomes available again, and possibly once at the start. The
   * listener may run commands.
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
  /** Time limit of commands. Default: 500 ms over TCP, and 1 s over HTTP. */
  readonly timeoutMs?: number | undefined
}

export class TimeoutError extends Error {
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
export function createRefusalLog(report: (reason: string) => void): (reason: string) => void {
  let last = { reason: '', atMs: 0 }
  return (reason) => {
    if (reason === last.reason && Date.now() - last.atMs < sameRefusalMs) return
    last = { reason, atMs: Date.now() }
    report(reason)
  }
}

export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0])
  const message = error instanceof Error ? error.message : String(error)
  return message.replace(/\.$/, '') || "it can't be reached"
}
