import {
  connectTimeoutMs,
  offlineQueueOff,
  type RedisListener,
  type RedisModule,
} from './client.ts'

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
