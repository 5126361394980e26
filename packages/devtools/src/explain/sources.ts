import { readFileSync } from 'node:fs'
import path, { type PlatformPath } from 'node:path'
import type { SourcePlace } from 'waymark/plugin/dev'

/** @returns `null` when the file can't be read: it may have been deleted */
export function readSource(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}

/** Finds where a file has a text in quotation marks. */
export function findText(file: string, text: string): SourcePlace | null {
  const source = readSource(file)
  if (source === null) return null
  const index = ["'", '"'].map((mark) => source.indexOf(mark + text + mark)).find((at) => at >= 0)
  return index === undefined ? null : { file, ...positionAt(source, index) }
}

/** Converts an index in a text to a line and a column, which count from 1. */
export function positionAt(source: string, index: number): { line: number; column: number } {
  const lines = source.slice(0, index).split('\n')
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 }
}

/** @returns the path of a file relative to the app; the absolute path of a file outside of it */
export function relativeFile(root: string, file: string, system: PlatformPath = path): string {
  // On Windows, Vite writes paths with slashes, and no relative path leads to another drive.
  const relative = system.relative(root, file)
  const isElsewhere = /^\.\.(?:[\\/]|$)/.test(relative) || system.isAbsolute(relative)
  return isElsewhere ? file : relative.replaceAll(system.sep, '/')
}
