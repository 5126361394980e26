import { readRedisAddress } from '../redis/redisAddress.ts'
import type { CacheDriver } from './cacheDriver.ts'

/** Where an app's cache may be. */
export type CacheLocation = {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Of the embedded default. */
  readonly folder: string
  readonly log: (line: string) => void
}

/**
 * Opens the cache of a server: in Redis when `WAYMARK_REDIS_URL` says where that is, else in a
 * folder, that of `WAYMARK_CACHE_DIR` or the given one.
 * @throws `REDIS_URL`, `REDIS_NOT_INSTALLED`
 */
export async function openCacheDriver({ env, folder, log }: CacheLocation): Promise<CacheDriver> {
  const address = readRedisAddress(env)
  if (address) {
    const { createRedisDriver } = await import('./redis/redisCacheDriver.ts')
    return createRedisDriver({ address, log })
  }
  const { createFilesDriver } = await import('./files/fileCacheDriver.ts')
  return createFilesDriver({ folder: env.WAYMARK_CACHE_DIR || folder, log })
}
