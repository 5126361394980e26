import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FindBuilt } from '../shared/keptPages.ts'
import type { PrerenderedManifest } from '../shared/prerendered.ts'

/** Name of the manifest in the build's folder. */
export const prerenderedManifestName = 'prerendered.json'

/**
 * Reads the manifest of prerendered answers.
 * @returns `null` when the build prerendered nothing
 * @throws when the file is not such a manifest
 */
export function readPrerenderedManifest(path: string): PrerenderedManifest | null {
  if (!existsSync(path)) return null
  const manifest: unknown = JSON.parse(readFileSync(path, 'utf8'))
  if (!isManifest(manifest)) {
    throw new Error(`${path} was written by another version of Waymark. Build the app again.`)
  }
  return manifest
}

/**
 * Makes what tells of the pages that the build has rendered.
 * @param folder of the manifest
 * @param builtAtMs of the manifest: equal builds hold no times
 */
export function createFindBuilt(
  { files, shells = {} }: PrerenderedManifest,
  folder: string,
  builtAtMs: number,
): FindBuilt {
  return (pathname) => {
    const file = Object.hasOwn(files, pathname) ? files[pathname] : undefined
    if (file?.life) {
      return { ...file.life, renderedAtMs: builtAtMs, hasOwnCaching: file.hasOwnCaching ?? false }
    }
    const shell = Object.hasOwn(shells, pathname) ? shells[pathname] : undefined
    if (!shell) return null
    const readShell = () => readFileSync(join(folder, shell.file))
    return { ...shell.life, renderedAtMs: builtAtMs, readShell }
  }
}

// Its writer is the build of the same version: the version number vouches for the rest.
function isManifest(value: unknown): value is PrerenderedManifest {
  return (
    typeof value === 'object' &&
    value !== null &&
    'version' in value &&
    value.version === 1 &&
    'files' in value &&
    typeof value.files === 'object' &&
    value.files !== null
  )
}
