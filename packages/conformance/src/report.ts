import type { CaseResult, Outcome } from './runCases.ts'
import type { BuiltHost } from './testedApp.ts'

/** The results of a run, as `--report` writes them. */
export type ConformanceReport = {
  /** Name of the adapter's host. */
  readonly host: string
  readonly lacks: readonly string[]
  /** Version of Waymark. */
  readonly waymark: string
  /** Day of the run, such as `2026-11-30`. */
  readonly date: string
  readonly counts: Readonly<Record<Outcome, number>>
  readonly cases: readonly CaseResult[]
}

export function createReport(
  { name, lacks }: BuiltHost,
  { waymark, date, cases }: Pick<ConformanceReport, 'waymark' | 'date' | 'cases'>,
): ConformanceReport {
  const countOf = (outcome: Outcome) => cases.filter((each) => each.outcome === outcome).length
  const counts = {
    passed: countOf('passed'),
    failed: countOf('failed'),
    unsupported: countOf('unsupported'),
    skipped: countOf('skipped'),
  }
  return { host: name, lacks, waymark, date, counts, cases }
}

const marks: Readonly<Record<Outcome, string>> = {
  passed: '✓',
  failed: '✗',
  unsupported: '–',
  skipped: '?',
}

/** Describes a result in one line, or two if there is a reason. */
export function resultLines({ name, outcome, reason }: CaseResult): string {
  const line = `${marks[outcome]} ${name}`
  if (reason === undefined) return line
  const [first = '', ...others] = reason.split('\n')
  const lines = [first, ...others.slice(0, 12)]
  return [line, ...lines.map((each) => `    ${printable(each)}`)].join('\n')
}

const maxLineLength = 1_000

/** Shortens text from a host, and removes characters that control the terminal. */
function printable(text: string): string {
  return text.slice(0, maxLineLength).replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, '\ufffd')
}

export function summaryLine({ host, counts }: ConformanceReport): string {
  const { passed, failed, unsupported, skipped } = counts
  const parts = [
    `${passed} passed`,
    `${failed} failed`,
    `${unsupported} unsupported`,
    ...(skipped > 0 ? [`${skipped} skipped, because no browser was found`] : []),
  ]
  return `${host}: ${parts.join(', ')}`
}
