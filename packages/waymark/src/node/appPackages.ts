import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { frameworkError } from '../shared/errors.ts'

/**
 * Loads a package that an app installs for itself, such as `@waymark/redis`, or an entry of one.
 * @param neededFor for the message @throws `PACKAGE_NOT_INSTALLED`
 */
export type LoadPackage = (name: string, neededFor: string) => Promise<unknown>

/** What `waymark start` needs for workers, for the access log and for metrics. */
export const operationsPackage = '@waymark/operations'

export type BundledPackages = Readonly<Record<string, () => Promise<unknown>>>

/** @param bundled packages inside a bundled program */
export function createPackageLoader(folder: string, bundled?: BundledPackages): LoadPackage {
  return async (name, neededFor) => {
    const load = bundled?.[name]
    if (load) return load()
    const file = findPackage(name, folder)
    if (file !== null) return import(pathToFileURL(file).href)
    const missing = { name: name.split('/', 2).join('/'), neededFor, isBuilt: Boolean(bundled) }
    throw frameworkError('PACKAGE_NOT_INSTALLED', missing)
  }
}

export function findPackage(name: string, folder: string): string | null {
  try {
    return createRequire(join(folder, 'package.json')).resolve(name)
  } catch {
    return null
  }
}

export function waymarkVersion(): string {
  return versionIn(new URL('../../package.json', import.meta.url))
}

export function versionIn(manifest: URL | string): string {
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }
  return version
}
