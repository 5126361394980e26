import { readFileSync } from 'node:fs'
import path from 'node:path'
import { normalizePath } from 'vite'

/** A mistake in an app, with its place. */
export type Problem = {
  /** Absolute path. */
  readonly file: string
  /** `null` if no line of the file causes the problem. */
  readonly line: number | null
  /** A sentence with a period. */
  readonly text: string
}

/** Writes a problem as one line: `messages/de.json:3: …`. */
export function problemLine({ file, line, text }: Problem, root: string): string {
  return `${shortPath(file, root)}${line === null ? '' : `:${line}`}: ${text}`
}

export function shortPath(file: string, root: string): string {
  return normalizePath(path.relative(root, file))
}

/** Returns the line of the first match in a file, or `null` without a match. */
export function findLine(file: string, pattern: RegExp): number | null {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    // A module of a plugin isn't in any file.
    return null
  }
  const at = text.search(pattern)
  return at === -1 ? null : lineAt(text, at)
}

export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}

/** Joins names for a sentence: `a, b and c`. */
export function listed(names: readonly string[]): string {
  return new Intl.ListFormat('en-GB').format(names)
}
