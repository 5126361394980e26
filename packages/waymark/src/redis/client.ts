import { frameworkError } from '../shared/errors.ts'
import type { RedisAddress } from './address.ts'

/** An argument of a command. */
export type RedisArgument = string | Buffer

/** What is used of the official client, for one server and for a cluster. */
export type RedisClient = {
  connect(): Promise<unknown>
  /** Sends a command to the server that holds a key. Texts come back as bytes. */
  send(key: string, args: readonly RedisArgument[]): Promise<unknown>
  subscribe(channel: string, listener: (message: string) => void): Promise<unknown>
  /** Hears of lost connections; the client connects again by itself. */
  onError(listener: (error: unknown) => void): void
  /** Rejects unless a server answers. */
  probe(): Promise<unknown>
  /** Tells what a server answered from a connection that failed. */
  isRefusal(error: unknown): boolean
  destroy(): void
}

type Module = typeof import('redis')

const connectTimeoutMs = 2_000

/**
 * Makes a client of the `redis` package, which an app installs that uses Redis. It is not
 * connected yet.
 * @throws `REDIS_NOT_INSTALLED`
 */
export async function createRedisClient({ urls }: RedisAddress): Promise<RedisClient> {
  const redis = await loadRedis()
  const socket = {
    connectTimeout: connectTimeoutMs,
    reconnectStrategy: (retries: number) => Math.min(50 * 2 ** Math.min(retries, 6), 2_000),
  }
  // What can't be sent now is not wanted later: its reader has been answered otherwise by then.
  const options = { socket, disableOfflineQueue: true }
  const [url, ...others] = urls
  return others.length === 0
    ? singleClient(redis, { ...options, url })
    : clusterClient(redis, urls, { socket, disableOfflineQueue: true })
}

async function loadRedis(): Promise<Module> {
  try {
    return await import('redis')
  } catch (error) {
    throw Object.assign(frameworkError('REDIS_NOT_INSTALLED', {}), { cause: error })
  }
}

type SocketOptions = {
  readonly socket: { connectTimeout: number; reconnectStrategy: (retries: number) => number }
  readonly disableOfflineQueue: boolean
}

function singleClient(
  redis: Module,
  options: SocketOptions & { readonly url: string },
): RedisClient {
  const client = redis.createClient({ ...options, RESP: 2 })
  const subscriber = client.duplicate({ disableOfflineQueue: false })
  const inBytes = client.withTypeMapping({ [redis.RESP_TYPES.BLOB_STRING]: Buffer })
  return {
    connect: () => Promise.all([client.connect(), subscriber.connect()]),
    send: (_key, args) => inBytes.sendCommand(args),
    subscribe: (channel, listener) => subscriber.subscribe(channel, listener),
    onError(listener) {
      client.on('error', listener)
      subscriber.on('error', listener)
    },
    probe: () => client.sendCommand(['PING']),
    isRefusal: (error) => error instanceof redis.ErrorReply,
    destroy() {
      // One that is not connected yet refuses.
      if (client.isOpen) client.destroy()
      if (subscriber.isOpen) subscriber.destroy()
    },
  }
}

function clusterClient(
  redis: Module,
  urls: readonly string[],
  defaults: SocketOptions,
): RedisClient {
  const cluster = redis.createCluster({
    rootNodes: urls.map((url) => ({ url })),
    defaults: { ...defaults, ...credentialsOf(urls[0] as string) },
    RESP: 2,
  })
  const inBytes = cluster.withTypeMapping({ [redis.RESP_TYPES.BLOB_STRING]: Buffer })
  return {
    connect: () => cluster.connect(),
    send: (key, args) => inBytes.sendCommand(key, false, [...args]),
    subscribe: (channel, listener) => cluster.subscribe(channel, listener),
    onError: (listener) => void cluster.on('error', listener),
    async probe() {
      // Unlike the client of one server, it gives its first try up.
      if (!cluster.isOpen) await cluster.connect()
      await cluster.sendCommand(undefined, true, ['PING'])
    },
    isRefusal: (error) => error instanceof redis.ErrorReply,
    destroy: () => cluster.destroy(),
  }
}

/** Other servers of a cluster are found by their addresses, which hold no password. */
function credentialsOf(url: string): { username?: string; password?: string } {
  const { username, password } = new URL(url)
  return {
    ...(username ? { username: decodeURIComponent(username) } : {}),
    ...(password ? { password: decodeURIComponent(password) } : {}),
  }
}
