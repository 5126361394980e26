import { connectOverHttp } from './httpConnection.ts'
import { isHttpUrl } from './redisAddress.ts'
import type { RedisConnection, RedisConnectionOptions } from './redisConnection.ts'

/** Connects to Redis over HTTP or TCP, depending on the protocol of the address. */
export async function connectToRedis(options: RedisConnectionOptions): Promise<RedisConnection> {
  if (isHttpUrl(options.address.urls[0])) return connectOverHttp(options)
  // Load the client for TCP only if it is needed, because workers can't use it.
  const { connectOverTcp } = await import('./tcpConnection.ts')
  return connectOverTcp(options)
}
