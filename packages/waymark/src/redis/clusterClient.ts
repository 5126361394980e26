import { isErrorReply, type RedisClient, type RedisModule } from './client.ts'
import {
  type Channel,
  connectCluster,
  createClusterConnections,
  type OpenCluster,
} from './clusterConnections.ts'

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
