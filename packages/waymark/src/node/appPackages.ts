import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { frameworkError } from '../shared/errors.ts'

/**
 * Imports a package that the app has installed, or one of the package's entries.
 * @param root folder of the app
 * @param specifier for example `@waymark/s3/assets`
 * @param neededFor subject of the error message, such as `waymark assets push s3://…`
 * @throws `PACKAGE_NOT_INSTALLED`
 */
export async function importAppPackage(
  root: string,
  specifier: string,
  neededFor: string,
): Promise<unknown> {
  const file = findPackage(specifier, root)
  if (file !== null) return import(pathToFileURL(file).href)
  const name = specifier.split('/', 2).join('/')
  throw frameworkError('PACKAGE_NOT_INSTALLED', { name, neededFor })
}

export function findPackage(name: string, folder: string): string | null {
  try {
    return createRequire(join(folder, 'package.json')).resolve(name)
  } catch {
    return null
  }
}

/** Returns the version of the running Waymark, such as `0.1.0`. */
export function waymarkVersion(): string {
  const manifest = new URL('../../package.json', import.meta.url)
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version
}
