import nodePath, { type PlatformPath } from 'node:path'
import { tryOrUndefined } from '../shared/neverThrows.ts'

/**
 * True for a file below a folder. On Windows, paths come with slashes from Vite and with backslashes
 * from Node, and their case does not count.
 * @param system how the system writes paths
 */
export function isBelow(folder: string, file: string, system: PlatformPath = nodePath): boolean {
  const relative = system.relative(folder, file)
  const isAround = relative === '..' || relative.startsWith(`..${system.sep}`)
  // No relative path leads to another drive of Windows.
  return relative !== '' && !isAround && !system.isAbsolute(relative)
}

/** @returns the path of a file from a folder, with slashes; the file's own path where it is elsewhere */
export function pathFrom(folder: string, file: string, system: PlatformPath = nodePath): string {
  if (!isBelow(folder, file, system)) return file
  return system.relative(folder, file).replaceAll(system.sep, '/')
}

/**
 * The path of a file that a stack or a source map names.
 * @param name a path, a `file:` URL, or such a URL as React writes it into stacks of the server
 */
export function filePathOf(name: string, system: PlatformPath = nodePath): string {
  const found = /^(?:about:\/\/React\/[^/]+\/)?file:\/\/(\/.*)$/.exec(name)?.[1]
  if (found === undefined) return name
  const pathname = tryOrUndefined(() => decodeURIComponent(found)) ?? found
  // `file:///C:/app/a.ts` has a slash before the drive.
  return system.sep === '\\' ? system.normalize(pathname.slice(1)) : pathname
}
