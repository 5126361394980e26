import type { HeaderLines } from './response.ts'

/** Validated security settings of the app. */
export type SecurityConfig = {
  /** Default lines: a response's own line of the same name wins. */
  readonly headers: HeaderLines
  readonly csp: CspConfig | null
}

/** Without the nonces and hashes of a document. */
export type CspConfig = {
  /** Sources by directive, as in the header. */
  readonly directives: Readonly<Record<string, readonly string[]>>
  /** True: browsers only report violations. */
  readonly reportOnly: boolean
  readonly reportTo: string | null
}

/**
 * Adds missing lines. An empty value suppresses a default line.
 * @param lines names in lower case
 */
export function withDefaultLines(lines: HeaderLines, defaults: HeaderLines): HeaderLines {
  const added = defaults.filter(([name]) => !hasLine(lines, name))
  const all = added.length > 0 ? [...lines, ...added] : lines
  return all.some(isEmptyLine) ? all.filter((line) => !isEmptyLine(line)) : all
}

function hasLine(lines: HeaderLines, name: string): boolean {
  for (const line of lines) if (line[0] === name) return true
  return false
}

function isEmptyLine([, value]: [name: string, value: string]): boolean {
  return value === ''
}
