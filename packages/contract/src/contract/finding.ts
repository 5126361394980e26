/** A line in the app's code. */
export type Place = {
  /** Path relative to the app's root, with forward slashes. */
  readonly file: string
  /** Number of the line, from 1; `null` if the whole file is meant. */
  readonly line: number | null
}

/** A problem that fails the check, even if the contract says the same. */
export type Finding = {
  readonly sentence: string
  readonly place: Place | null
}

/** Formats a place: `app/help/page.tsx:4`. */
export function formatPlace({ file, line }: Place): string {
  return line === null ? file : `${file}:${line}`
}
