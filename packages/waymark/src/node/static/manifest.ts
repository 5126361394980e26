import { type Dirent, existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FindBuilt, PrerenderedManifest } from '../../shared/cachedPage.ts'

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
 * Creates the lookup of pages that the build has rendered.
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

/**
 * Lists the files below a folder, their paths relative to it and divided by slashes. Left out are
 * symbolic links (they may lead out of the folder) and names that begin with a dot, which are
 * seldom meant for the public, except `.well-known` (RFC 8615).
 * @returns empty when the folder does not exist
 */
export function listFiles(folder: string): string[] {
  const files: string[] = []
  collect(folder, '', files)
  return files
}

function collect(folder: string, prefix: string, files: string[]): void {
  for (const item of readFolder(folder)) {
    const path = prefix + item.name
    if (item.name.startsWith('.') && path !== '.well-known') continue
    if (item.isDirectory()) collect(join(folder, item.name), `${path}/`, files)
    else if (item.isFile()) files.push(path)
  }
}

function readFolder(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

// What encodeURI leaves as it is, without `%`, `?`, `#` and what ends or splits a path elsewhere.
const plainPathname = /^[\w\-.~!$&'()*+,;=:@/]*$/

/**
 * Brings the path of a request's target to the form that static files are listed under.
 * @param target path and query, as sent
 * @returns `null` when the path can't be that of a file: malformed percent-encoding, or an
 *   encoded slash, backslash, NUL or dot segment
 */
export function canonicalPathname(target: string): string | null {
  const queryStart = target.search(/[?#]/)
  const pathname = queryStart === -1 ? target : target.slice(0, queryStart)
  if (plainPathname.test(pathname)) return pathname
  const segments: string[] = []
  for (const raw of pathname.split('/')) {
    const segment = decodeSegment(raw)
    if (segment === null) return null
    segments.push(segment)
  }
  return encodePathname(segments.join('/'))
}

/**
 * Percent-encodes the path of a file as `canonicalPathname` gives it back.
 * @param pathname decoded; slashes divide it
 */
export function encodePathname(pathname: string): string {
  return encodeURI(pathname).replace(/[?#]/g, encodeURIComponent)
}

function decodeSegment(raw: string): string | null {
  let segment: string
  try {
    segment = decodeURIComponent(raw)
  } catch {
    return null
  }
  if (segment.includes('/') || segment.includes('\\') || segment.includes('\0')) return null
  const isEncodedDots = raw !== segment && (segment === '.' || segment === '..')
  return isEncodedDots || !segment.isWellFormed() ? null : segment
}
