import type { Case, CaseGroup } from './cases/case.ts'
import type { TestedHost } from './testedHost.ts'

/**
 * - `passed`, `failed`: the case ran
 * - `unsupported`: the adapter says that its host lacks a feature that the case needs
 * - `skipped`: there was no browser
 */
export type Outcome = 'passed' | 'failed' | 'unsupported' | 'skipped'

export type CaseResult = {
  readonly group: string
  readonly name: string
  readonly outcome: Outcome
  /** Reason for an outcome other than `passed`. */
  readonly reason?: string
}

export type RunOptions = {
  readonly groups: readonly CaseGroup[]
  readonly host: TestedHost
  readonly lacks: readonly string[]
  readonly hasBrowser: boolean
  /** Called after each case. */
  readonly onResult: (result: CaseResult) => void
}

/** Milliseconds after which a case counts as failed. */
const caseMs = 60_000

/** Runs the cases one after the other, because some of them change the app's data. */
export async function runCases({
  groups,
  host,
  onResult,
  ...given
}: RunOptions): Promise<CaseResult[]> {
  const results: CaseResult[] = []
  for (const { title, cases } of groups) {
    for (const each of cases) {
      const outcome = preventedBy(each, given) ?? (await runCase(each, host))
      const result = { group: title, name: each.name, ...outcome }
      results.push(result)
      onResult(result)
    }
  }
  return results
}

type OwnOutcome = Pick<CaseResult, 'outcome' | 'reason'>

function preventedBy(
  { needs = [], inBrowser = false }: Case,
  { lacks, hasBrowser }: Pick<RunOptions, 'lacks' | 'hasBrowser'>,
): OwnOutcome | null {
  const missing = needs.filter((feature) => lacks.includes(feature))
  if (missing.length > 0) {
    return { outcome: 'unsupported', reason: `The host lacks ${missing.join(' and ')}.` }
  }
  return inBrowser && !hasBrowser ? { outcome: 'skipped', reason: 'No browser was found.' } : null
}

async function runCase({ run }: Case, host: TestedHost): Promise<OwnOutcome> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`It took longer than ${caseMs / 1000} s.`)), caseMs)
  })
  try {
    await Promise.race([run(host), timeout])
    return { outcome: 'passed' }
  } catch (thrown) {
    return { outcome: 'failed', reason: describe(thrown) }
  } finally {
    clearTimeout(timer)
  }
}

function describe(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown)
  const cause = thrown.cause instanceof Error ? ` (${thrown.cause.message})` : ''
  return thrown.message + cause
}
