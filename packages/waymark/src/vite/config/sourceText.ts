import { readFileSync } from 'node:fs'
import { tryOrUndefined } from '../../shared/neverThrows.ts'

/** A position in a file. The path is absolute; lines and columns count from 1. */
export type SourcePlace = { readonly file: string; readonly line: number; readonly column: number }

/** @returns `null` when the file can't be read: it may have been deleted */
export function readSource(file: string): string | null {
  return tryOrUndefined(() => readFileSync(file, 'utf8')) ?? null
}

/** Finds where a file has a text in quotation marks. */
export function findText(file: string, text: string): SourcePlace | null {
  const source = readSource(file)
  const at = ["'", '"'].map((mark) => source?.indexOf(mark + text + mark) ?? -1).find((n) => n >= 0)
  if (source === null || at === undefined) return null
  const before = source.slice(0, at).split('\n')
  return { file, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
}
