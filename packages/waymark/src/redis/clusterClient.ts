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
  const channels: { channel: string; listener: RedisListener }[] = []
  let current: OpenCluster | null = null

  const close = () => {
    current?.cluster.destroy()
    current = null
  }

  async function reach(): Promise<void> {
    close()
    const opened = createCluster(redis, urls)
    current = opened
    let isReached = false
    let reason: unknown = null
    const onError = (error: unknown) => {
      reason = error
      if (isReached && current === opened) for (const listener of listeners) listener(error)
    }
    opened.cluster.on('error', onError).on('node-error', onError)
    try {
      await opened.cluster.connect()
      await assertWhole(opened.cluster)
      for (const { channel, listener } of channels) {
        await opened.cluster.subscribe(channel, listener)
      }
      isReached = true
    } catch (error) {
      opened.cluster.destroy()
      // What one server said, in place of "none could be used".
      throw reason ?? error
    }
  }

  return {
    reach,
    async send(key, args) {
      if (!current) throw new Error('it is not connected')
      return current.inBytes.sendCommand(key, false, [...args])
    },
    async subscribe(channel, listener) {
      channels.push({ channel, listener })
      if (current?.cluster.isReady) await current.cluster.subscribe(channel, listener)
    },
    onLost: (listener) => void listeners.push(listener),
    isRefusal: (error) => isRefusal(redis, error),
    destroy: close,
  }
}

type OpenCluster = ReturnType<typeof createCluster>

function createCluster(redis: RedisModule, urls: readonly [string, ...string[]]) {
  const cluster = redis.createCluster({
    rootNodes: urls.map((url) => ({ url })),
    defaults: {
      ...sendsNowOrNever,
      ...credentialsOf(urls[0]),
      socket: { connectTimeout: connectTimeoutMs, reconnectStrategy: false, ...tlsOf(urls[0]) },
    },
    RESP: 2,
  })
  return { cluster, inBytes: cluster.withTypeMapping({ [redis.RESP_TYPES.BLOB_STRING]: Buffer }) }
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
