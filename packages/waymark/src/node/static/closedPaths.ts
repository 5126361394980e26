import { statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { ClosedPath } from '../../builds/servedAssets.ts'
import { listFiles } from './manifest.ts'

const enterableByOthers = 0o001
const readableByOthers = 0o004

// Maximum number of files to report. A folder with wrong modes often has many unreadable files.
const maxFiles = 3

/**
 * Finds paths that a web server can't read if it runs as a different user: files in a folder, and
 * the folders around it.
 */
export function findClosedPaths(folder: string): ClosedPath[] {
  const around = foldersAround(folder).filter((each) => !has(each, enterableByOthers))
  const files = listFiles(folder)
    .map((name) => join(folder, name))
    .filter((each) => !has(each, readableByOthers))
  return [
    ...around.map((path) => ({ path, isFolder: true })),
    ...files.slice(0, maxFiles).map((path) => ({ path, isFolder: false })),
  ]
}

/** @returns the outermost folder first, the folder itself last */
function foldersAround(folder: string): string[] {
  const parent = dirname(folder)
  return parent === folder ? [folder] : [...foldersAround(parent), folder]
}

function has(path: string, bit: number): boolean {
  const stats = statSync(path, { throwIfNoEntry: false })
  // A missing file isn't closed.
  return stats === undefined || (stats.mode & bit) !== 0
}
