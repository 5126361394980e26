import {
  connectTimeoutMs,
  isRefusal,
  type RedisClient,
  type RedisListener,
  type RedisModule,
  sendsNowOrNever,
} from './client.ts'

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
    const opened = createCluster(redis, urls)
    current = opened
    await connect(opened, {
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
    isRefusal: (error) => isRefusal(redis, error),
    destroy: close,
  }
}

type Channel = { readonly channel: string; readonly listener: RedisListener }

type Connecting = {
  readonly channels: readonly Channel[]
  readonly isWanted: () => boolean
  readonly onLost: (error: unknown) => void
}

/** Connects to all masters, and listens; ends all connections where one of them fails. */
async function connect(
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

type OpenCluster = ReturnType<typeof createCluster>

// A connection that nothing comes over has a server that hangs: the pings keep others alive.
const watched = { pingInterval: 3_000 } as const
const silentMs = 10_000

function createCluster(redis: RedisModule, urls: readonly [string, ...string[]]) {
  const cluster = redis.createCluster({
    rootNodes: urls.map((url) => ({ url })),
    defaults: {
      ...sendsNowOrNever,
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
