import type { RedisConnection, RedisConnectionOptions } from './redisConnection.ts'
import { connectOverTcp } from './tcpConnection.ts'

/** Connects to Redis. The protocol of the address decides how. */
export async function connectToRedis(options: RedisConnectionOptions): Promise<RedisConnection> {
  return connectOverTcp(options)
}
