import { frameworkError } from '../shared/errors.ts'
import type { RedisAddress } from './address.ts'
import type { RedisClient, RedisModule } from './client.ts'
import { createClusterClient } from './clusterClient.ts'
import { createSingleClient } from './singleClient.ts'

/**
 * Makes a client of the `redis` package, which an app installs that uses Redis. It is not
 * connected yet.
 * @throws `REDIS_NOT_INSTALLED`
 */
export async function createRedisClient({ urls }: RedisAddress): Promise<RedisClient> {
  const redis = await loadRedis()
  const [url, ...others] = urls
  return others.length === 0 ? createSingleClient(redis, url) : createClusterClient(redis, urls)
}

async function loadRedis(): Promise<RedisModule> {
  try {
    return await import('redis')
  } catch (error) {
    throw Object.assign(frameworkError('REDIS_NOT_INSTALLED', {}), { cause: error })
  }
}
