import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { frameworkError } from '../shared/errors.ts'

/**
 * Loads a package of Waymark that an app installs for itself, such as `@waymark/redis`, or an entry of one.
 * @param neededFor the setting, the import or the option that needs it, for the message
 * @throws `PACKAGE_NOT_INSTALLED`
 */
export type LoadPackage = (name: string, neededFor: string) => Promise<unknown>

/** Packages that are bundled with a program, by name. */
export type BundledPackages = Readonly<Record<string, () => Promise<unknown>>>

/**
 * Creates the loader of an app's packages.
 * @param folder the app, or a folder in it
 * @param bundled what a program brings with it; it was built without the other packages
 */
export function createPackageLoader(folder: string, bundled?: BundledPackages): LoadPackage {
  return async (name, neededFor) => {
    const load = bundled?.[name]
    if (load) return load()
    const file = findPackage(name, folder)
    if (file !== null) return import(pathToFileURL(file).href)
    const [scope, own] = name.split('/')
    const isBuilt = Boolean(bundled)
    const missing = `${scope}/${own}`
    throw frameworkError('PACKAGE_NOT_INSTALLED', { name: missing, neededFor, isBuilt })
  }
}

/** Finds the main file of a package that is installed for an app. @returns an absolute path */
export function findPackage(name: string, folder: string): string | null {
  try {
    return createRequire(join(folder, 'package.json')).resolve(name)
  } catch {
    return null
  }
}
