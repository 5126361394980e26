import nodePath, { type PlatformPath } from 'node:path'
import { tryOrUndefined } from '../shared/neverThrows.ts'

/**
 * True if a file is below a folder. On Windows, paths from Vite contain slashes and paths from Node contain
 * backslashes, and case makes no difference.
 * @param system path functions of the system
 */
export function isBelow(folder: string, file: string, system: PlatformPath = nodePath): boolean {
  const relative = system.relative(folder, file)
  const isAround = relative === '..' || relative.startsWith(`..${system.sep}`)
  // Check for an absolute path, which is the result for a file on a different drive on Windows.
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
  // Remove the slash in front of the drive from the pathname of a URL such as `file:///C:/app/a.ts`.
  return system.sep === '\\' ? system.normalize(pathname.slice(1)) : pathname
}
