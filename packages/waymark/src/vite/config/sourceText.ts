import { readFileSync } from 'node:fs'
import { tryOrUndefined } from '../../shared/neverThrows.ts'

/** A position in a file. The path is absolute, and lines and columns start at 1. */
export type SourcePlace = { readonly file: string; readonly line: number; readonly column: number }

/** @returns `null` if the file can't be read, for example because it was deleted */
export function readSource(file: string): string | null {
  return tryOrUndefined(() => readFileSync(file, 'utf8')) ?? null
}

/** Finds a string literal with this text in a file. */
export function findText(file: string, text: string): SourcePlace | null {
  const source = readSource(file)
  const at = ["'", '"'].map((mark) => source?.indexOf(mark + text + mark) ?? -1).find((n) => n >= 0)
  if (source === null || at === undefined) return null
  const before = source.slice(0, at).split('\n')
  return { file, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
}
