import type { CacheDriver } from '../cache/cacheDriver.ts'
import { createFilesDriver } from '../cache/files/fileCacheDriver.ts'
import { createFilesJournal } from '../journal/files/fileJournalDriver.ts'
import type { JournalDriver } from '../journal/journalDriver.ts'
import type { LoadPackage } from './appPackages.ts'

type Environment = Readonly<Record<string, string | undefined>>

export type DriverOptions = {
  /** Holds the address of the store. */
  readonly env: Environment
  readonly log: (line: string) => void
}

export type DriverPackage = {
  openCache(options: DriverOptions): Promise<CacheDriver>
  openJournal(options: DriverOptions): Promise<JournalDriver>
}

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

/** Driver packages by the environment variable that selects them. */
export const driverPackages: Readonly<Record<string, string>> = {
  WAYMARK_REDIS_URL: '@waymark/redis',
}

export type DriverLocation = DriverOptions & {
  readonly folder: string
  readonly loadPackage: LoadPackage
}

/**
 * Opens a server's cache: the driver package that a variable selects, else the folder
 * `WAYMARK_CACHE_DIR` or the given one.
 * @throws `PACKAGE_NOT_INSTALLED`, and errors of the package
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

export function namesSharedCache(env: Environment): boolean {
  return Boolean(chosenVariable(env) || env.WAYMARK_CACHE_DIR)
}

function chosenVariable(env: Environment): string | undefined {
  return Object.keys(driverPackages).find((name) => env[name]?.trim())
}

async function loadDrivers({ env, loadPackage }: DriverLocation): Promise<DriverPackage | null> {
  const variable = chosenVariable(env)
  const name = variable && driverPackages[variable]
  return name ? ((await loadPackage(name, variable)) as DriverPackage) : null
}
