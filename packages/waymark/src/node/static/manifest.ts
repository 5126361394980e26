import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { FindBuilt, PrerenderedManifest } from '../../shared/cachedPage.ts'

const nothing: PrerenderedManifest = { version: 1, files: {}, notFound: null }

/**
 * Reads the manifest of prerendered responses; one that lists nothing where the file is missing.
 * @throws when it is of another version
 */
export function readPrerenderedManifest(path: string): PrerenderedManifest {
  if (!existsSync(path)) return nothing
  const manifest = JSON.parse(readFileSync(path, 'utf8')) as PrerenderedManifest
  // Its writer is the build of the same version: the number vouches for the rest.
  if (manifest.version === 1) return manifest
  throw new Error(`${path} was written by another version of Waymark. Build the app again.`)
}

/**
 * Creates the lookup of pages that the build has rendered.
 * @param path of the manifest: equal builds hold no times, so the file's own counts
 */
export function createFindBuilt(
  { files, shells = {} }: PrerenderedManifest,
  path: string,
): FindBuilt {
  const builtAtMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
  return (pathname) => {
    const file = Object.hasOwn(files, pathname) ? files[pathname] : undefined
    if (file?.life) {
      return { ...file.life, renderedAtMs: builtAtMs, hasOwnCaching: file.hasOwnCaching ?? false }
    }
    const shell = Object.hasOwn(shells, pathname) ? shells[pathname] : undefined
    if (!shell) return null
    const readShell = () => readFileSync(join(dirname(path), shell.file))
    return { ...shell.life, renderedAtMs: builtAtMs, readShell }
  }
}

/**
 * Lists the files below a folder, their paths relative to it and divided by slashes. Left out are
 * symbolic links (they may lead out of the folder) and names that begin with a dot, which are
 * seldom meant for the public, except `.well-known` (RFC 8615).
 * @returns empty when the folder does not exist
 */
export function listFiles(folder: string): string[] {
  return existsSync(folder) ? listBelow(folder, '') : []
}

// Node's own recursion would follow symbolic links.
function listBelow(folder: string, prefix: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((item) => {
    const path = prefix + item.name
    if (item.name.startsWith('.') && path !== '.well-known') return []
    if (item.isDirectory()) return listBelow(join(folder, item.name), `${path}/`)
    return item.isFile() ? [path] : []
  })
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
  const segments = pathname.split('/').map(decodeSegment)
  return segments.includes(null) ? null : encodePathname(segments.join('/'))
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
