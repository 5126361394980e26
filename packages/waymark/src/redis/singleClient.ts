import {
  connectTimeoutMs,
  isErrorReply,
  offlineQueueOff,
  type RedisClient,
  type RedisModule,
} from './client.ts'

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
