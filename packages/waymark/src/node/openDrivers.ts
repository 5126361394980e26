import type { CacheDriver } from '../cache/cacheDriver.ts'
import { createFilesDriver } from '../cache/files/fileCacheDriver.ts'
import { createFilesJournal } from '../journal/files/fileJournalDriver.ts'
import type { JournalDriver } from '../journal/journalDriver.ts'
import type { LoadPackage } from './appPackages.ts'

/** The environment of a process. */
type Environment = Readonly<Record<string, string | undefined>>

/** What a package of drivers reads. */
export type DriverOptions = {
  /** Says where the store is. */
  readonly env: Environment
  readonly log: (line: string) => void
}

/** The exports of a package of drivers, which a variable of the environment chooses. */
export type DriverPackage = {
  openCache(options: DriverOptions): Promise<CacheDriver>
  openJournal(options: DriverOptions): Promise<JournalDriver>
}

/** The packages of drivers by the variable that chooses each. */
export const driverPackages: Readonly<Record<string, string>> = {
  WAYMARK_REDIS_URL: '@waymark/redis',
}

/** Where an app's stores may be. */
export type DriverLocation = DriverOptions & {
  /** Of the files, where the environment names nothing else. */
  readonly folder: string
  readonly loadPackage: LoadPackage
}

/**
 * Opens the cache of a server: by a package of drivers that a variable chooses, else in a folder,
 * that of `WAYMARK_CACHE_DIR` or the given one.
 * @throws `PACKAGE_NOT_INSTALLED`, and what the package throws
 */
export async function openCacheDriver(location: DriverLocation): Promise<CacheDriver> {
  const { env, log, folder } = location
  const chosen = await loadDrivers(location)
  return chosen
    ? chosen.openCache({ env, log })
    : createFilesDriver({ folder: env.WAYMARK_CACHE_DIR || folder, log })
}

/**
 * Opens the journal of a server: by a package of drivers that a variable chooses, else in a folder.
 * @throws `PACKAGE_NOT_INSTALLED`, and what the package throws
 */
export async function openJournalDriver(location: DriverLocation): Promise<JournalDriver> {
  const { env, log, folder } = location
  const chosen = await loadDrivers(location)
  return chosen ? chosen.openJournal({ env, log }) : createFilesJournal({ folder, log })
}

/** Whether the environment names a cache that other processes may have, too. */
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
