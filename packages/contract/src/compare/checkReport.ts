import type { Contract } from '../contract/contractFile.ts'
import { type Finding, formatPlace } from '../contract/finding.ts'
import { compareContracts, type Effect, failsCheck } from './compareContracts.ts'
import { type AppCode, type Cause, findCause, formatCause } from './findCause.ts'
import { describeDifference, describeSiblings } from './sentences.ts'

/** A difference between the app and its contract, with the place that leads to it. */
export type ReportedDifference = {
  readonly effect: Effect
  readonly sentence: string
  readonly cause: Cause | null
}

export type CheckReport = {
  readonly isOk: boolean
  readonly differences: readonly ReportedDifference[]
  readonly findings: readonly Finding[]
  /** Requests and routes that weren't tried, with the reason. */
  readonly notProven: Readonly<Record<string, string>>
}

/** Compares an app with its contract. @param before the contract; `null` if the app has no contract yet */
export function createReport(
  before: Contract | null,
  after: Contract,
  code: AppCode,
  findings: readonly Finding[],
): CheckReport {
  const found = before === null ? [] : compareContracts(before, after)
  const differences = found.map((difference): ReportedDifference => {
    const { change, effect } = difference
    const sentence = describeDifference(difference)
    const siblings =
      change.kind === 'added' && before !== null
        ? describeSiblings(change.entry, before.entries, after.personas)
        : null
    return {
      effect,
      sentence: siblings === null ? sentence : `${sentence} ${siblings}`,
      cause: findCause(difference, code),
    }
  })
  const notProven = after.entries.find(({ kind }) => kind === 'not proven')?.properties ?? {}
  const isOk = findings.length === 0 && !differences.some(failsCheck)
  return { isOk, differences, findings, notProven }
}

const headings: readonly (readonly [Effect, string])[] = [
  ['widens', 'Access widens'],
  ['new', 'Nobody has decided about this yet'],
  ['changes', 'Changes that need a decision'],
  ['narrows', 'Access narrows'],
  ['neutral', 'Other differences'],
]

/** Lines for a terminal. */
export function reportLines(report: CheckReport): string[] {
  const lines: string[] = []
  if (report.findings.length > 0) {
    lines.push('Problems:')
    for (const { sentence, place } of report.findings) {
      lines.push(place === null ? `  ${sentence}` : `  ${sentence} ${formatPlace(place)}`)
    }
    lines.push('')
  }
  for (const [effect, heading] of headings) {
    const some = report.differences.filter((each) => each.effect === effect)
    if (some.length === 0) continue
    lines.push(`${heading}:`)
    for (const { sentence, cause } of some) {
      lines.push(`  ${sentence}`)
      if (cause) lines.push(`    ${formatCause(cause)}`)
    }
    lines.push('')
  }
  return lines
}

/** A comment for a pull request, in Markdown. */
export function reportComment(report: CheckReport): string {
  const { differences, findings, notProven, isOk } = report
  const lines = [`### ${isOk ? 'The contract holds' : 'The contract needs a decision'}`, '']
  for (const { sentence, place } of findings) {
    const cause = place && { place, note: null }
    lines.push(`- **Problem:** ${sentence}${markdownCause(cause)}`)
  }
  if (findings.length > 0) lines.push('')
  for (const [effect, heading] of headings) {
    const some = differences.filter((each) => each.effect === effect)
    if (some.length === 0) continue
    lines.push(`**${heading}**`, '')
    for (const { sentence, cause } of some) lines.push(`- ${sentence}${markdownCause(cause)}`)
    lines.push('')
  }
  if (differences.length === 0 && findings.length === 0) lines.push('No differences.', '')
  const count = Object.keys(notProven).length
  if (count > 0) lines.push(`${count} ${count === 1 ? 'part was' : 'parts were'} not tried.`, '')
  if (!isOk)
    lines.push(
      'To accept the differences, run `waymark contract --accept` and commit `contract.txt`.',
      '',
    )
  return lines.join('\n')
}

function markdownCause(cause: Cause | null): string {
  if (cause === null) return ''
  const place = ` \`${formatPlace(cause.place)}\``
  return cause.note === null ? place : `${place} ${cause.note}`
}
