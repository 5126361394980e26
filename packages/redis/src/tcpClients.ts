import { createClient, createCluster, ErrorReply, RESP_TYPES } from 'redis'
import type { RedisAddress } from './redisAddress.ts'
import type { RedisArgument } from './redisConnection.ts'

/** Called with each message on a channel. */
type RedisListener = (message: string) => void

/** The functions that we use of the official client, for a single server and for a cluster. */
export type RedisClient = {
  /**
   * Connects to Redis, and rejects unless Redis can be used now. Called while it is unknown if Redis is
   * available.
   */
  reach(): Promise<unknown>
  /** Sends a command to the server that holds a key. Replies are bytes. */
  send(key: string, args: readonly RedisArgument[]): Promise<unknown>
  /** Subscribes to a channel, also on all later connections. Call `reach` first. */
  subscribe(channel: string, listener: RedisListener): Promise<unknown>
  /** Adds a listener for the errors of lost connections. */
  onLost(listener: (error: unknown) => void): void
  /** True if Redis refused a command, and false if the connection or the server failed. */
  isRefusal(error: unknown): boolean
  destroy(): void
}

/** Time limit for opening a connection. */
export const connectTimeoutMs = 2_000

// Don't queue commands that can't be sent now, because their callers have already received the fallback
// when the queue is sent.
const offlineQueueOff = { disableOfflineQueue: true } as const

// Errors from a server that runs but can't serve, because it is still loading or its cluster is
// incomplete.
const unusable = /^(?:LOADING|CLUSTERDOWN|MASTERDOWN)\b/

/** Creates a client of the `redis` package, which isn't connected yet. */
export function createRedisClient({ urls }: RedisAddress): RedisClient {
  const [url, ...others] = urls
  return {
    ...(others.length === 0 ? createSingleClient(url) : createClusterClient(urls)),
    isRefusal: (error) => error instanceof ErrorReply && !unusable.test(error.message),
  }
}

type Connections = Omit<RedisClient, 'isRefusal'>

/** Creates a client of one server, which reconnects automatically. */
function createSingleClient(url: string): Connections {
  const socket = {
    connectTimeout: connectTimeoutMs,
    reconnectStrategy: (retries: number) => Math.min(50 * 2 ** Math.min(retries, 6), 2_000),
  }
  const client = createClient({ url, socket, ...offlineQueueOff, RESP: 2 })
  const subscriber = client.duplicate({ disableOfflineQueue: false })
  const inBytes = client.withTypeMapping({ [RESP_TYPES.BLOB_STRING]: Buffer })
  const both = [client, subscriber]
  return {
    async reach() {
      await Promise.all(both.map((each) => (each.isOpen ? untilReady(each) : each.connect())))
      await client.sendCommand(['PING'])
    },
    send: (_key, args) => inBytes.sendCommand(args),
    subscribe: (channel, listener) => subscriber.subscribe(channel, listener),
    onLost(listener) {
      for (const each of both) each.on('error', listener)
    },
    destroy() {
      // Skip clients that aren't connected yet, because destroying them would throw.
      for (const each of both) if (each.isOpen) each.destroy()
    },
  }
}

type ReconnectingClient = {
  readonly isReady: boolean
  on(event: string, listener: (error: unknown) => void): ReconnectingClient
  off(event: string, listener: (error: unknown) => void): ReconnectingClient
}

/** Waits for a client that reconnects automatically. Rejects if the client's next attempt fails. */
function untilReady(client: ReconnectingClient): Promise<void> | null {
  if (client.isReady) return null
  return new Promise((resolve, reject) => {
    const settle = () => {
      client.off('ready', onReady).off('error', onError)
    }
    const onReady = () => {
      settle()
      resolve()
    }
    const onError = (error: unknown) => {
      settle()
      reject(error)
    }
    client.on('ready', onReady).on('error', onError)
  })
}

/**
 * Creates a client of a cluster. If a connection to one of its masters is lost, all connections are opened
 * again from the configured addresses. Otherwise, the client would wait for a master even if it is gone
 * for good and has been replaced.
 */
function createClusterClient(urls: RedisAddress['urls']): Connections {
  const listeners: ((error: unknown) => void)[] = []
  const channels: [channel: string, listener: RedisListener][] = []
  let current: ClusterConnections | null = null
  let reaching: Promise<void> | null = null

  const close = () => {
    const closed = current
    current = null
    // Don't destroy a client while it connects, because it would leave connections open whose errors
    // nobody handles. `open` destroys it later.
    if (!closed?.isConnecting) closed?.cluster.destroy()
  }

  async function open(): Promise<void> {
    close()
    const opened = createClusterConnections(urls)
    const { cluster } = opened
    current = opened
    let reason: unknown = null
    const onError = (error: unknown) => {
      reason = error
      if (opened.isConnecting || current !== opened) return
      for (const listener of listeners) listener(error)
    }
    cluster.on('error', onError).on('node-error', onError)
    try {
      await cluster.connect()
      await assertWhole(cluster)
      for (const [channel, listener] of channels) await cluster.subscribe(channel, listener)
      if (current !== opened) throw new Error('the connection was closed')
    } catch (error) {
      cluster.destroy()
      // Throw one server's error, because it is more useful than "none could be used".
      throw reason ?? error
    } finally {
      opened.isConnecting = false
    }
  }

  return {
    reach() {
      // Share one attempt between all callers, because a second attempt would also wait for a server
      // that hangs.
      reaching ??= open().finally(() => {
        reaching = null
      })
      return reaching
    },
    async send(key, args) {
      if (!current || current.isConnecting) throw new Error('the cluster is not connected')
      return current.inBytes.sendCommand(key, false, [...args])
    },
    async subscribe(channel, listener) {
      channels.push([channel, listener])
      if (current && !current.isConnecting) await current.cluster.subscribe(channel, listener)
    },
    onLost: (listener) => void listeners.push(listener),
    destroy: close,
  }
}

type ClusterConnections = ReturnType<typeof createClusterConnections>

/** Creates the connections of a cluster, which aren't open yet. */
function createClusterConnections(urls: RedisAddress['urls']) {
  // Use the first URL's credentials for all servers, because the cluster reports the other servers
  // without credentials.
  const { username, password, protocol } = new URL(urls[0])
  const cluster = createCluster({
    rootNodes: urls.map((url) => ({ url })),
    defaults: {
      ...offlineQueueOff,
      ...(username ? { username: decodeURIComponent(username) } : {}),
      ...(password ? { password: decodeURIComponent(password) } : {}),
      // Treat a server as hanging if nothing arrives on its connection for this long. Pings keep healthy
      // connections busy.
      pingInterval: 3_000,
      socket: {
        socketTimeout: 10_000,
        connectTimeout: connectTimeoutMs,
        reconnectStrategy: false,
        ...(protocol === 'rediss:' ? { tls: true } : {}),
      },
    },
    RESP: 2,
  })
  const inBytes = cluster.withTypeMapping({ [RESP_TYPES.BLOB_STRING]: Buffer })
  return { cluster, inBytes, isConnecting: true }
}

/**
 * Asks each master for the state of the cluster, because a master that has just returned may not serve
 * yet.
 */
async function assertWhole(cluster: ClusterConnections['cluster']): Promise<void> {
  await Promise.all(
    cluster.masters.map(async (master) => {
      const info = await (await cluster.nodeClient(master)).sendCommand(['CLUSTER', 'INFO'])
      if (!String(info).includes('cluster_state:ok')) throw new Error('its cluster is incomplete')
    }),
  )
}
