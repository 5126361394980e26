import type { CacheDriver } from '../../cache/driver.ts'
import { openCacheDriver } from '../../cache/openDriver.ts'

/** What the dev server keeps a cache with: an entry of the app, or what an edit made of it. */
export type CachingEntry = { attachCache(driver: CacheDriver): void }

/**
 * Makes what gives entries the cache that the environment names. Without one they have their own
 * memory, which forgets what an edit may have changed.
 */
export function createDevCache(folder: string, log: (line: string) => void) {
  let opening: Promise<CacheDriver> | null = null
  return async (entry: CachingEntry): Promise<void> => {
    const { env } = process
    if (!env.WAYMARK_REDIS_URL && !env.WAYMARK_CACHE_DIR) return
    opening ??= openCacheDriver({ env, folder, log })
    entry.attachCache(await opening)
  }
}
