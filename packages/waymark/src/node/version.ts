import { readFileSync } from 'node:fs'

export function waymarkVersion(): string {
  return versionIn(new URL('../../package.json', import.meta.url))
}

/** @throws when the file can't be read */
export function versionIn(manifest: URL | string): string {
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }
  return version
}
