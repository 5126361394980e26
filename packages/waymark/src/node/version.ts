import { readFileSync } from 'node:fs'

/** The version of this package. */
export function waymarkVersion(): string {
  return versionIn(new URL('../../package.json', import.meta.url))
}

/**
 * The version in a package's manifest.
 * @throws when the file can't be read
 */
export function versionIn(manifest: URL | string): string {
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }
  return version
}
