import { frameworkError } from '../shared/errors.ts'
import type { RedisAddress } from './redisAddress.ts'

/** An argument of a command. */
export type RedisArgument = string | Buffer

/** Hears what is published on a channel. */
export type RedisListener = (message: string) => void

/** What is used of the official client, for one server and for a cluster. */
export type RedisClient = {
  /** Connects; asked while Redis is not known to be there. Rejects unless it can be used now. */
  reach(): Promise<unknown>
  /** Sends a command to the server that holds a key. Texts come back as bytes. */
  send(key: string, args: readonly RedisArgument[]): Promise<unknown>
  /** Listens from then on, over all connections; `reach` has been called before. */
  subscribe(channel: string, listener: RedisListener): Promise<unknown>
  /** Hears of lost connections. */
  onLost(listener: (error: unknown) => void): void
  /** Tells what a server answered, of this command, from a connection or server that failed. */
  isRefusal(error: unknown): boolean
  destroy(): void
}

/** The `redis` package. */
export type RedisModule = typeof import('redis')

/** How long a connection may take to be made. */
export const connectTimeoutMs = 2_000

/** What can't be sent now is not wanted later: its reader has been answered otherwise by then. */
export const offlineQueueOff = { disableOfflineQueue: true } as const

// Said by a server that lives and can't serve: it is loading, or its cluster is not whole.
const unusable = /^(?:LOADING|CLUSTERDOWN|MASTERDOWN)\b/

/** Tells the refusal of a command from all else that can go wrong. */
export function isErrorReply({ ErrorReply }: RedisModule, error: unknown): boolean {
  return error instanceof ErrorReply && !unusable.test(error.message)
}

/**
 * Makes a client of the `redis` package, which an app installs that uses Redis. It is not
 * connected yet.
 * @throws `REDIS_NOT_INSTALLED`
 */
export async function createRedisClient({ urls }: RedisAddress): Promise<RedisClient> {
  const redis = await loadRedis()
  const [url, ...others] = urls
  return others.length === 0 ? createSingleClient(redis, url) : createClusterClient(redis, urls)
}

async function loadRedis(): Promise<RedisModule> {
  try {
    return await import('redis')
  } catch (error) {
    throw Object.assign(frameworkError('REDIS_NOT_INSTALLED', {}), { cause: error })
  }
}

/** Makes a client of one server. It connects again by itself. */
export function createSingleClient(redis: RedisModule, url: string): RedisClient {
  const socket = {
    connectTimeout: connectTimeoutMs,
    reconnectStrategy: (retries: number) => Math.min(50 * 2 ** Math.min(retries, 6), 2_000),
  }
  const client = redis.createClient({ url, socket, ...offlineQueueOff, RESP: 2 })
  const subscriber = client.duplicate({ disableOfflineQueue: false })
  const inBytes = client.withTypeMapping({ [redis.RESP_TYPES.BLOB_STRING]: Buffer })
  const both = [client, subscriber]
  return {
    async reach() {
      // One that is open connects, or tries to.
      await Promise.all(both.map((each) => (each.isOpen ? null : each.connect())))
      await client.sendCommand(['PING'])
    },
    send: (_key, args) => inBytes.sendCommand(args),
    subscribe: (channel, listener) => subscriber.subscribe(channel, listener),
    onLost(listener) {
      for (const each of both) each.on('error', listener)
    },
    isRefusal: (error) => isErrorReply(redis, error),
    destroy() {
      // One that is not connected yet refuses.
      for (const each of both) if (each.isOpen) each.destroy()
    },
  }
}

/**
 * Makes a client of a cluster. When a connection to one of its masters is lost, all are made anew,
 * from the addresses: who the masters are may have changed, and one that is gone for good would be
 * waited for.
 */
export function createClusterClient(
  redis: RedisModule,
  urls: readonly [string, ...string[]],
): RedisClient {
  const listeners: ((error: unknown) => void)[] = []
  const channels: Channel[] = []
  let current: OpenCluster | null = null
  let reaching: Promise<void> | null = null

  const close = () => {
    const closed = current
    current = null
    // The client leaves connections behind, and nobody to hear of their errors, when it is ended
    // while it connects: whoever connects it ends it.
    if (!closed?.isConnecting) closed?.cluster.destroy()
  }

  async function open(): Promise<void> {
    close()
    const opened = createClusterConnections(redis, urls)
    current = opened
    await connectCluster(opened, {
      channels,
      isWanted: () => current === opened,
      onLost(error) {
        if (current === opened) for (const listener of listeners) listener(error)
      },
    })
  }

  return {
    reach() {
      // Another try would not go past a server that hangs, either.
      reaching ??= open().finally(() => {
        reaching = null
      })
      return reaching
    },
    async send(key, args) {
      if (!current || current.isConnecting) throw new Error('it is not connected')
      return current.inBytes.sendCommand(key, false, [...args])
    },
    async subscribe(channel, listener) {
      channels.push({ channel, listener })
      if (current && !current.isConnecting) await current.cluster.subscribe(channel, listener)
    },
    onLost: (listener) => void listeners.push(listener),
    isRefusal: (error) => isErrorReply(redis, error),
    destroy: close,
  }
}

/** The connections of a cluster, being made or there. */
export type OpenCluster = ReturnType<typeof createClusterConnections>

// A connection that nothing comes over has a server that hangs: the pings keep others alive.
const watched = { pingInterval: 3_000 } as const
const silentMs = 10_000

/** Makes the connections of a cluster; none of them is there yet. */
export function createClusterConnections(redis: RedisModule, urls: readonly [string, ...string[]]) {
  const cluster = redis.createCluster({
    rootNodes: urls.map((url) => ({ url })),
    defaults: {
      ...offlineQueueOff,
      ...watched,
      ...credentialsOf(urls[0]),
      socket: {
        connectTimeout: connectTimeoutMs,
        socketTimeout: silentMs,
        reconnectStrategy: false,
        ...tlsOf(urls[0]),
      },
    },
    RESP: 2,
  })
  const inBytes = cluster.withTypeMapping({ [redis.RESP_TYPES.BLOB_STRING]: Buffer })
  return { cluster, inBytes, isConnecting: true }
}

/** What is listened to. */
export type Channel = { readonly channel: string; readonly listener: RedisListener }

type Connecting = {
  readonly channels: readonly Channel[]
  readonly isWanted: () => boolean
  readonly onLost: (error: unknown) => void
}

/** Connects to all masters, and listens; ends all connections where one of them fails. */
export async function connectCluster(
  opened: OpenCluster,
  { channels, isWanted, onLost }: Connecting,
): Promise<void> {
  const { cluster } = opened
  let reason: unknown = null
  const onError = (error: unknown) => {
    reason = error
    if (!opened.isConnecting) onLost(error)
  }
  cluster.on('error', onError).on('node-error', onError)
  try {
    await cluster.connect()
    await assertWhole(cluster)
    for (const { channel, listener } of channels) await cluster.subscribe(channel, listener)
    if (!isWanted()) throw new Error('it was closed')
    opened.isConnecting = false
  } catch (error) {
    opened.isConnecting = false
    cluster.destroy()
    // What one server said, in place of "none could be used".
    throw reason ?? error
  }
}

/** Asks each master for its own view: one that has just come back may not serve yet. */
async function assertWhole(cluster: OpenCluster['cluster']): Promise<void> {
  await Promise.all(
    cluster.masters.map(async (master) => {
      const said = await (await cluster.nodeClient(master)).sendCommand(['CLUSTER', 'INFO'])
      if (!String(said).includes('cluster_state:ok')) throw new Error('its cluster is not whole')
    }),
  )
}

// Other servers of a cluster are found by their addresses alone.

function credentialsOf(url: string): { username?: string; password?: string } {
  const { username, password } = new URL(url)
  return {
    ...(username ? { username: decodeURIComponent(username) } : {}),
    ...(password ? { password: decodeURIComponent(password) } : {}),
  }
}

function tlsOf(url: string): { tls?: true } {
  return new URL(url).protocol === 'rediss:' ? { tls: true } : {}
}
