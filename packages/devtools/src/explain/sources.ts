import { readFileSync } from 'node:fs'
import path, { type PlatformPath } from 'node:path'
import type { SourcePlace } from 'waymark/plugin/dev'

/**
 * @returns the file's content; `null` if the file can't be read, for example because it was deleted
 */
export function readSource(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}

/** Finds the position of a quoted string in a file. */
export function findText(file: string, text: string): SourcePlace | null {
  const source = readSource(file)
  if (source === null) return null
  const index = ["'", '"'].map((mark) => source.indexOf(mark + text + mark)).find((at) => at >= 0)
  return index === undefined ? null : { file, ...positionAt(source, index) }
}

/** Converts an index in source code to a line and a column, both starting at 1. */
export function positionAt(source: string, index: number): { line: number; column: number } {
  const lines = source.slice(0, index).split('\n')
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 }
}

/**
 * @returns the path of a file relative to the app; for a file outside the app, its absolute path
 */
export function relativeFile(root: string, file: string, system: PlatformPath = path): string {
  // On Windows, Vite writes paths with slashes, and no relative path leads to a different drive.
  const relative = system.relative(root, file)
  const isOutside = /^\.\.(?:[\\/]|$)/.test(relative) || system.isAbsolute(relative)
  return isOutside ? file : relative.replaceAll(system.sep, '/')
}
