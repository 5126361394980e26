import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { frameworkError } from '../shared/errors.ts'

/**
 * Loads a package that an app installs for itself, or an entry of one.
 * @param neededFor for the message @throws `PACKAGE_NOT_INSTALLED`
 */
export type LoadPackage = (name: string, neededFor: string) => Promise<unknown>

export function createPackageLoader(folder: string): LoadPackage {
  return async (name, neededFor) => {
    const file = findPackage(name, folder)
    if (file !== null) return import(pathToFileURL(file).href)
    throw frameworkError('PACKAGE_NOT_INSTALLED', {
      name: name.split('/', 2).join('/'),
      neededFor,
    })
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
