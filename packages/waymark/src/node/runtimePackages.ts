import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { buildLayout } from '../builds/buildManifest.ts'
import type { CacheDriver } from '../cache/cacheDriver.ts'
import type { JournalDriver } from '../journal/journalDriver.ts'
import { importBuilt } from './importBuilt.ts'

/** Options with which a package opens its drivers. */
export type DriverOptions = {
  /** Environment variables, including the store's address. */
  readonly env: Readonly<Record<string, string | undefined>>
  readonly log: (line: string) => void
}

/** Exports of a package with drivers for the cache and the journal. */
export type DriverPackage = {
  openCache(options: DriverOptions): Promise<CacheDriver>
  openJournal(options: DriverOptions): Promise<JournalDriver>
}

/** Packages that a server loads only if an environment variable or an option needs them. */
export type RuntimePackages = {
  /** Functions that import a store's package, keyed by the environment variable that selects the store. */
  readonly stores: Readonly<Record<string, () => Promise<DriverPackage>>>
  /**
   * Imports the package that provides worker processes, the access log and metrics; `null` if the app doesn't list it.
   */
  readonly operations: (() => Promise<unknown>) | null
  /** True if the packages come from a build. To add a package, the app must then be built again. */
  readonly isBuilt: boolean
}

/** Imports the packages that a build has put into a separate file. */
export async function importBuiltPackages(buildDir: string): Promise<RuntimePackages> {
  const file = join(buildDir, buildLayout.runtime)
  if (!existsSync(file)) return { stores: {}, operations: null, isBuilt: true }
  type Built = Pick<RuntimePackages, 'stores' | 'operations'>
  const { stores, operations } = await importBuilt<Built>(buildDir, buildLayout.runtime)
  return { stores, operations, isBuilt: true }
}
