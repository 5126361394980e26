import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import path, { dirname, join } from 'node:path'
import { type BuildManifest, buildLayout } from '../../builds/buildManifest.ts'
import type { FindBuilt, PrerenderedManifest } from '../../builds/cachedPage.ts'
import { frameworkError } from '../../shared/errors.ts'
import { waymarkVersion } from '../appPackages.ts'

const nothing: PrerenderedManifest = { version: 1, files: {}, notFound: null }

/**
 * Reads the manifest of a build.
 * @param folder folder of a build
 * @returns `null` if there is no build, as in development
 */
export function findBuildManifest(folder: string): BuildManifest | null {
  const path = join(folder, buildLayout.facts)
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as BuildManifest) : null
}

/** Reads the manifest of a build. @param folder the folder of a build @throws `NO_BUILD` */
export function readBuildManifest(folder: string): BuildManifest {
  const manifest = findBuildManifest(folder)
  if (manifest) return manifest
  throw frameworkError('NO_BUILD', { folder })
}

/**
 * Reads the manifest of a build, and checks that this version of Waymark can serve it.
 * @param folder folder of a build
 * @throws `NO_BUILD`, and `OTHER_BUILD` for a build of a different version
 */
export function readCompatibleManifest(folder: string): BuildManifest {
  const manifest = readBuildManifest(folder)
  const current = waymarkVersion()
  if (manifest.waymark === current) return manifest
  throw frameworkError('OTHER_BUILD', { folder, built: manifest.waymark, current })
}

/**
 * Reads the list of pages that a build has rendered. @param path location of the list, which may be
 * missing
 */
export function readPrerenderedManifest(path: string): PrerenderedManifest {
  if (!existsSync(path)) return nothing
  const manifest = JSON.parse(readFileSync(path, 'utf8')) as PrerenderedManifest
  if (manifest.version === 1) return manifest
  throw new Error(`${path} was written by a different version of Waymark. Build the app again.`)
}

/**
 * Creates a function that finds prerendered pages.
 * @param path path of the manifest, whose modification time is the time of rendering
 */
export function createFindBuilt(
  { files, shells = {} }: PrerenderedManifest,
  path: string,
): FindBuilt {
  const builtAtMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
  return (pathname) => {
    const file = Object.hasOwn(files, pathname) ? files[pathname] : undefined
    if (file?.life) {
      return {
        ...file.life,
        renderedAtMs: builtAtMs,
        hasCustomCaching: file.hasCustomCaching ?? false,
      }
    }
    const shell = Object.hasOwn(shells, pathname) ? shells[pathname] : undefined
    if (!shell) return null
    const readShell = () => readFileSync(join(dirname(path), shell.file))
    return { ...shell.life, renderedAtMs: builtAtMs, readShell }
  }
}

/**
 * Lists the files below a folder, as relative paths with slashes. Skips symbolic links, which may lead out of the
 * folder, and dot files except `.well-known` (RFC 8615).
 * @returns an empty list if the folder is missing
 */
export function listFiles(folder: string): string[] {
  return existsSync(folder) ? listBelow(folder, '') : []
}

// Node's recursive option would follow symbolic links.
function listBelow(folder: string, prefix: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((item) => {
    const path = prefix + item.name
    if (item.name.startsWith('.') && path !== '.well-known') return []
    if (item.isDirectory()) return listBelow(join(folder, item.name), `${path}/`)
    return item.isFile() ? [path] : []
  })
}

/**
 * Lists the files below a folder.
 * @returns sorted relative paths with forward slashes. The list is empty if the folder is missing
 */
export async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.relative(folder, path.join(parentPath, name)))
    .map((file) => file.replaceAll(path.sep, '/'))
    .sort()
}
