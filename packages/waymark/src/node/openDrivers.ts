import type { CacheDriver } from '../cache/cacheDriver.ts'
import { createFilesDriver } from '../cache/files/fileCacheDriver.ts'
import { createFilesJournal } from '../journal/files/fileJournalDriver.ts'
import type { JournalDriver } from '../journal/journalDriver.ts'
import { type PackageHint, packageHints, packageNotListed } from '../shared/packageHints.ts'
import type { DriverOptions, DriverPackage, RuntimePackages } from './runtimePackages.ts'

type Environment = DriverOptions['env']

/** The exports of a built server for its stores: the app's own drivers, and a place for any. */
export type ServerStores = {
  /** Of `server.ts`; `null` for the drivers that the environment selects. */
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
 * Opens a server's cache: the store that a variable selects, else the folder `WAYMARK_CACHE_DIR` or
 * `folder`.
 * @throws `PACKAGE_NOT_LISTED`, and errors of the package
 */
export async function openCacheDriver(location: DriverLocation): Promise<CacheDriver> {
  const { env, log, folder } = location
  const chosen = await loadDrivers(location)
  return chosen
    ? chosen.openCache({ env, log })
    : createFilesDriver({ folder: env.WAYMARK_CACHE_DIR || folder, log })
}

export async function openJournalDriver(location: DriverLocation): Promise<JournalDriver> {
  const { env, log, folder } = location
  const chosen = await loadDrivers(location)
  return chosen ? chosen.openJournal({ env, log }) : createFilesJournal({ folder, log })
}

export function namesSharedCache(env: Environment, packages: RuntimePackages): boolean {
  return Boolean(findStoreVariable(env, packages) || env.WAYMARK_CACHE_DIR)
}

const hints: Readonly<Record<string, PackageHint>> = packageHints.stores

/** @returns a variable that selects a store of a package, also of one that the app does not list */
function findStoreVariable(env: Environment, { stores }: RuntimePackages): string | undefined {
  return [...Object.keys(stores), ...Object.keys(hints)].find((name) => env[name]?.trim())
}

async function loadDrivers({ env, packages }: DriverLocation): Promise<DriverPackage | null> {
  const variable = findStoreVariable(env, packages)
  if (variable === undefined) return null
  const load = packages.stores[variable]
  if (load) return load()
  const hint = hints[variable]
  if (hint) throw packageNotListed(variable, hint, packages)
  return null
}
