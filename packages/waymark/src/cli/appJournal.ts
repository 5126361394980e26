import { join } from 'node:path'
import { buildLayout } from '../builds/buildManifest.ts'
import type { JournalDriver } from '../journal/journalDriver.ts'
import { openJournalDriver } from '../node/openDrivers.ts'
import {
  type DriverOptions,
  importBuiltPackages,
  type RuntimePackages,
} from '../node/runtimePackages.ts'
import { findBuildManifest } from '../node/static/manifest.ts'

/**
 * Opens the journal to which an app's servers write.
 *
 * @param root root folder of the app
 * @throws `PACKAGE_NOT_LISTED`, and errors of the package that provides the store
 */
export async function openAppJournal(root: string, options: DriverOptions): Promise<JournalDriver> {
  const buildDir = join(root, buildLayout.folder)
  const folder = join(buildDir, buildLayout.journal)
  return openJournalDriver({ ...options, folder, packages: await findPackages(root, buildDir) })
}

/**
 * Finds the packages that provide stores. A build contains its packages, and may be on a machine
 * that can't load the Vite configuration. So the configuration is only read if there is no build.
 */
async function findPackages(root: string, buildDir: string): Promise<RuntimePackages> {
  if (findBuildManifest(buildDir)) return importBuiltPackages(buildDir)
  const { readListedPackages } = await import('./project.ts')
  const { importListedPackages } = await import('../vite/config/definePackage.ts')
  return importListedPackages(await readListedPackages(root))
}
