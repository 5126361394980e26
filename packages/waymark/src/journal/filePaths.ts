import nodePath, { type PlatformPath } from 'node:path'
import { tryOrUndefined } from '../shared/neverThrows.ts'

/**
 * True if a file is below a folder. On Windows, paths have slashes from Vite and backslashes from Node,
 * and their case makes no difference.
 * @param system path functions of the system
 */
export function isBelow(folder: string, file: string, system: PlatformPath = nodePath): boolean {
  const relative = system.relative(folder, file)
  const isAround = relative === '..' || relative.startsWith(`..${system.sep}`)
  // On Windows, the path to a file on another drive is absolute.
  return relative !== '' && !isAround && !system.isAbsolute(relative)
}

/**
 * Returns the path of a file relative to a folder, with slashes. A file outside of the folder keeps its
 * path.
 */
export function pathFrom(folder: string, file: string, system: PlatformPath = nodePath): string {
  if (!isBelow(folder, file, system)) return file
  return system.relative(folder, file).replaceAll(system.sep, '/')
}

/**
 * Returns the path of a file that is named in a stack or a source map.
 * @param name a path, a `file:` URL, or a `file:` URL in the form that React writes into stacks of the
 *   server
 */
export function filePathOf(name: string, system: PlatformPath = nodePath): string {
  const found = /^(?:about:\/\/React\/[^/]+\/)?file:\/\/(\/.*)$/.exec(name)?.[1]
  if (found === undefined) return name
  const pathname = tryOrUndefined(() => decodeURIComponent(found)) ?? found
  // The pathname of `file:///C:/app/a.ts` has a slash in front of the drive.
  return system.sep === '\\' ? system.normalize(pathname.slice(1)) : pathname
}
