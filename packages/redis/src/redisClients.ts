import { createClient, createCluster, ErrorReply, RESP_TYPES } from 'redis'
import type { RedisAddress } from './redisAddress.ts'

/** An argument of a command. */
export type RedisArgument = string | Buffer

/** Called with what is published on a channel. */
type RedisListener = (message: string) => void

/** What is used of the official client, for one server and for a cluster. */
export type RedisClient = {
  /** Connects; called while Redis is not known to be there. Rejects unless it can be used now. */
  reach(): Promise<unknown>
  /** Sends a command to the server that holds a key. Texts come back as bytes. */
  send(key: string, args: readonly RedisArgument[]): Promise<unknown>
  /** Listens from then on, over all connections; `reach` has been called before. */
  subscribe(channel: string, listener: RedisListener): Promise<unknown>
  /** Called with errors of lost connections. */
  onLost(listener: (error: unknown) => void): void
  /** Tells the refusal of a command from a connection or server that failed. */
  isRefusal(error: unknown): boolean
  destroy(): void
}

/** How long a connection may take to be made. */
export const connectTimeoutMs = 2_000

// What can't be sent now is not wanted later: its reader has had the fallback by then.
const offlineQueueOff = { disableOfflineQueue: true } as const

// Said by a server that lives and can't serve: it is loading, or its cluster is not whole.
const unusable = /^(?:LOADING|CLUSTERDOWN|MASTERDOWN)\b/

/** Creates a client of the `redis` package. It is not connected yet. */
export function createRedisClient({ urls }: RedisAddress): RedisClient {
  const [url, ...others] = urls
  return {
    ...(others.length === 0 ? createSingleClient(url) : createClusterClient(urls)),
    isRefusal: (error) => error instanceof ErrorReply && !unusable.test(error.message),
  }
}

type Connections = Omit<RedisClient, 'isRefusal'>

/** Creates a client of one server. It connects again by itself. */
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
      // One that is not connected yet refuses.
      for (const each of both) if (each.isOpen) each.destroy()
    },
  }
}

type ReconnectingClient = {
  readonly isReady: boolean
  on(event: string, listener: (error: unknown) => void): ReconnectingClient
  off(event: string, listener: (error: unknown) => void): ReconnectingClient
}

/** Waits for a client that connects again by itself. Rejects when its next attempt fails. */
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
 * Creates a client of a cluster. When a connection to one of its masters is lost, all are made
 * again, from the addresses: who the masters are may have changed, and one that is gone for good
 * would be waited for.
 */
function createClusterClient(urls: RedisAddress['urls']): Connections {
  const listeners: ((error: unknown) => void)[] = []
  const channels: [channel: string, listener: RedisListener][] = []
  let current: ClusterConnections | null = null
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
      if (current !== opened) throw new Error('it was closed')
    } catch (error) {
      cluster.destroy()
      // The error of one server, in place of "none could be used".
      throw reason ?? error
    } finally {
      opened.isConnecting = false
    }
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
      channels.push([channel, listener])
      if (current && !current.isConnecting) await current.cluster.subscribe(channel, listener)
    },
    onLost: (listener) => void listeners.push(listener),
    destroy: close,
  }
}

type ClusterConnections = ReturnType<typeof createClusterConnections>

/** Creates the connections of a cluster; none of them is there yet. */
function createClusterConnections(urls: RedisAddress['urls']) {
  // Other servers of a cluster are found by their addresses alone.
  const { username, password, protocol } = new URL(urls[0])
  const cluster = createCluster({
    rootNodes: urls.map((url) => ({ url })),
    defaults: {
      ...offlineQueueOff,
      ...(username ? { username: decodeURIComponent(username) } : {}),
      ...(password ? { password: decodeURIComponent(password) } : {}),
      // A connection that nothing comes over has a server that hangs: the pings keep others alive.
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

/** Asks each master for its own view: one that has just come back may not serve yet. */
async function assertWhole(cluster: ClusterConnections['cluster']): Promise<void> {
  await Promise.all(
    cluster.masters.map(async (master) => {
      const info = await (await cluster.nodeClient(master)).sendCommand(['CLUSTER', 'INFO'])
      if (!String(info).includes('cluster_state:ok')) throw new Error('its cluster is not whole')
    }),
  )
}
