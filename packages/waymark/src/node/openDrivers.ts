import type { CacheDriver } from '../cache/cacheDriver.ts'
import { createFilesDriver } from '../cache/files/fileCacheDriver.ts'
import { createFilesJournal } from '../journal/files/fileJournalDriver.ts'
import type { JournalDriver } from '../journal/journalDriver.ts'
import type { DriverOptions, RuntimePackages } from './runtimePackages.ts'
import { findStoreVariable, loadStorePackage } from './storePackages.ts'

type Environment = DriverOptions['env']

/** The exports of a built server for its stores: the app's own drivers, and functions to attach any. */
export type ServerStores = {
  /** Drivers of `server.ts`; `null` for the drivers that the environment selects. */
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
 * Opens the cache of a server. A variable may select a store; otherwise the cache is in the folder
 * `WAYMARK_CACHE_DIR` or `folder`.
 * @throws `PACKAGE_NOT_LISTED`, and errors of the package
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
