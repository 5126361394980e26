import type { HeaderLines } from './response.ts'

/** What an app's responses say about what browsers may do with them; complete and checked. */
export type SecurityConfig = {
  /** Lines that each response gets unless it has one of that name. */
  readonly headers: HeaderLines
  /** `null` where the app configured none. */
  readonly csp: CspConfig | null
}

/** A Content-Security-Policy before the nonces and hashes of a document are put in. */
export type CspConfig = {
  /** By directive: its sources, as they stand in the header. */
  readonly directives: Readonly<Record<string, readonly string[]>>
  /** Tells of what it would refuse, and refuses nothing. */
  readonly reportOnly: boolean
  /** URL that browsers send reports to. */
  readonly reportTo: string | null
}

/**
 * Adds lines whose names are not there yet. An empty value keeps a line away: it is not sent.
 * @param lines names in lower case
 */
export function withDefaultLines(lines: HeaderLines, defaults: HeaderLines): HeaderLines {
  const added = defaults.filter(([name]) => !hasLine(lines, name))
  const all = added.length > 0 ? [...lines, ...added] : lines
  return all.some(isEmptyLine) ? all.filter((line) => !isEmptyLine(line)) : all
}

/** Tells whether there is a line of a name, in lower case. */
function hasLine(lines: HeaderLines, name: string): boolean {
  for (const line of lines) if (line[0] === name) return true
  return false
}

function isEmptyLine([, value]: [name: string, value: string]): boolean {
  return value === ''
}
