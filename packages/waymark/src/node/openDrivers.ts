import type { CacheDriver } from '../cache/cacheDriver.ts'
import { createFilesDriver } from '../cache/files/fileCacheDriver.ts'
import { createFilesJournal } from '../journal/files/fileJournalDriver.ts'
import type { JournalDriver } from '../journal/journalDriver.ts'
import type { DriverOptions, RuntimePackages } from './runtimePackages.ts'
import { findStoreVariable, loadStorePackage } from './storePackages.ts'

type Environment = DriverOptions['env']

/**
 * A built server's exports for its stores: the app's own drivers, and functions that attach a
 * driver.
 */
export type ServerStores = {
  /** Opens the cache driver from `server.ts`; `null` if the environment selects the driver. */
  readonly openCache: (() => Promise<CacheDriver>) | null
  readonly openJournal: (() => Promise<JournalDriver>) | null
  attachCache(driver: CacheDriver): void
  attachJournal(driver: JournalDriver): void
  closeJournal(): Promise<void>
  closeCache(): Promise<void>
}

export type DriverLocation = DriverOptions & {
  readonly folder: string
  readonly packages: RuntimePackages
}

/**
 * Opens a server's cache. An environment variable may select a store. Otherwise, the cache is in
 * the folder `WAYMARK_CACHE_DIR` or `folder`.
 * @throws `PACKAGE_NOT_LISTED`, and errors from the store's package
 */
export async function openCacheDriver(location: DriverLocation): Promise<CacheDriver> {
  const { env, log, folder, packages } = location
  const chosen = await loadStorePackage(env, packages)
  return chosen
    ? chosen.openCache({ env, log })
    : createFilesDriver({ folder: env.WAYMARK_CACHE_DIR || folder, log })
}

export async function openJournalDriver(location: DriverLocation): Promise<JournalDriver> {
  const { env, log, folder, packages } = location
  const chosen = await loadStorePackage(env, packages)
  return chosen ? chosen.openJournal({ env, log }) : createFilesJournal({ folder, log })
}

export function namesSharedCache(env: Environment, packages: RuntimePackages): boolean {
  return Boolean(findStoreVariable(env, packages) || env.WAYMARK_CACHE_DIR)
}
