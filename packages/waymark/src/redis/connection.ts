import { type RedisAddress, shownAddress } from './address.ts'
import { connectTimeoutMs, type RedisArgument, type RedisClient } from './client.ts'
import { createRedisClient } from './createClient.ts'
import { createConnectionHealth } from './presence.ts'

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
