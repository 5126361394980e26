import type { CacheDriver } from '../cacheDriver.ts'
import { createFilesDriver } from '../files/fileCacheDriver.ts'
import { createRedisDriver } from '../redis/redisCacheDriver.ts'

/** Opens what two processes share. @param address a folder; or a URL and a prefix, with a space */
export function openStore(
  kind: string,
  address: string,
  log: (line: string) => void,
): Promise<CacheDriver> {
  if (kind === 'files') return createFilesDriver({ folder: address, log })
  const [url = '', prefix = ''] = address.split(' ')
  return createRedisDriver({ address: { urls: [url], prefix }, log, timeoutMs: 5_000 })
}
