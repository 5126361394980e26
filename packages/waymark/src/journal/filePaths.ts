import nodePath, { type PlatformPath } from 'node:path'
import { tryOrUndefined } from '../shared/neverThrows.ts'

/**
 * True if a file is below a folder. On Windows, Vite's paths contain slashes and Node's contain
 * backslashes, and case makes no difference.
 * @param system path functions of the system
 */
export function isBelow(folder: string, file: string, system: PlatformPath = nodePath): boolean {
  const relative = system.relative(folder, file)
  const isAround = relative === '..' || relative.startsWith(`..${system.sep}`)
  // On Windows, the result is absolute for a file on a different drive.
  return relative !== '' && !isAround && !system.isAbsolute(relative)
}

/**
 * Returns a file's path relative to a folder, with slashes. A file outside of the folder keeps its
 * path.
 */
export function pathFrom(folder: string, file: string, system: PlatformPath = nodePath): string {
  if (!isBelow(folder, file, system)) return file
  return system.relative(folder, file).replaceAll(system.sep, '/')
}

/**
 * Returns the path of a file that is mentioned in a stack or a source map.
 * @param name a path or a `file:` URL, possibly with the prefix that React adds in the server's
 * stacks
 */
export function filePathOf(name: string, system: PlatformPath = nodePath): string {
  const encoded = /^(?:about:\/\/React\/[^/]+\/)?file:\/\/(\/.*)$/.exec(name)?.[1]
  if (encoded === undefined) return name
  const pathname = tryOrUndefined(() => decodeURIComponent(encoded)) ?? encoded
  // In a URL such as `file:///C:/app/a.ts`, the pathname has a slash in front of the drive.
  return system.sep === '\\' ? system.normalize(pathname.slice(1)) : pathname
}
