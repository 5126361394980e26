import { escapeHtml } from 'waymark/plugin/node'
import type { DrillResult } from './drillResult.ts'

export type DrillReport = {
  readonly results: readonly DrillResult[]
  /** Number of loads that were skipped because the time was over or the browser had exited. */
  readonly leftOut: number
  readonly hasBrowserEnded: boolean
  readonly chosen: { readonly problems: readonly string[] }
  readonly ms: number
}

/**
 * Returns the report for programs. `ok` is true if at least one load was measured, and all of these
 * loads are fine: none is stuck, and none has a problem.
 */
export function drillJson({ results, leftOut, hasBrowserEnded, chosen, ms }: DrillReport) {
  const measured = results.filter(({ outcome }) => outcome !== 'not measured')
  const ok = !hasBrowserEnded && measured.length > 0 && results.every(({ isOk }) => isOk)
  const notMeasured = results.length - measured.length
  const loads = results.map(({ isOk, ...result }) => ({ ...result, ok: isOk }))
  return { ok, ms, leftOut, notMeasured, hasBrowserEnded, problems: chosen.problems, loads }
}

/**
 * Returns the report for CI servers in JUnit's format: a test suite for each route, and a test for
 * each fault.
 */
export function junitXml({ results, ms }: DrillReport): string {
  const suites = [...new Set(results.map(({ route }) => route))].map((route) => {
    const routeResults = results.filter((result) => result.route === route)
    const cases = routeResults.map((result) => {
      const { fault, outcome, isOk } = result
      const open = `    <testcase classname="${escapeHtml(route)}" name="${escapeHtml(fault)}" time="${result.ms / 1000}"`
      if (outcome === 'not measured') {
        const reason = escapeHtml(result.problem ?? outcome)
        return `${open}><skipped message="${reason}"/></testcase>`
      }
      if (isOk) return `${open}/>`
      const text = escapeHtml(`${result.advice ?? ''} ${result.screenshot ?? ''}`.trim())
      const message = escapeHtml(result.problem ?? outcome)
      return `${open}><failure message="${message}">${text}</failure></testcase>`
    })
    const failures = routeResults.filter(({ isOk }) => !isOk).length
    return [
      `  <testsuite name="${escapeHtml(route)}" tests="${routeResults.length}" failures="${failures}">`,
      ...cases,
      '  </testsuite>',
    ].join('\n')
  })
  const begin = `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites time="${ms / 1000}">`
  return `${begin}\n${suites.join('\n')}\n</testsuites>\n`
}

/** Returns the human-readable report: a line for each route, then each failed load with advice. */
export function summaryLines({ results, leftOut, hasBrowserEnded, ms }: DrillReport): string[] {
  const routes = [...new Set(results.map(({ route }) => route))]
  const lines = routes.map((route) => {
    const routeResults = results.filter((result) => result.route === route)
    const counts = (['arrived', 'screen', 'notice', 'stuck', 'not measured'] as const)
      .map(
        (outcome) =>
          [routeResults.filter((each) => each.outcome === outcome).length, outcome] as const,
      )
      .filter(([count]) => count > 0)
    const slowest = routeResults.reduce((a, b) => (b.ms > a.ms ? b : a))
    const text = counts.map(([count, outcome]) => `${count} ${outcome}`).join(', ')
    return `${route}: ${text}; slowest ${slowest.fault}, ${slowest.ms} ms`
  })
  const wrong = results.filter(({ isOk }) => !isOk)
  const findings = wrong.flatMap((result) => {
    const { route, fault, outcome, problem, advice, screenshot } = result
    return [
      '',
      `${route}, ${fault}: ${problem ?? outcome}`,
      ...(advice ? [`  ${advice}`] : []),
      ...(screenshot ? [`  ${screenshot}`] : []),
    ]
  })
  const why = hasBrowserEnded
    ? 'because the browser crashed, perhaps for lack of memory. Run the drill again'
    : 'because the time was up'
  const rest = leftOut > 0 ? `, ${leftOut} skipped ${why}` : ''
  const unmeasured = results.filter(({ outcome }) => outcome === 'not measured').length
  const notMeasured = unmeasured > 0 ? `, ${unmeasured} not measured` : ''
  const total = `${results.length} loads in ${Math.round(ms / 1000)} s, ${wrong.length} wrong${notMeasured}${rest}`
  return ['', ...lines, ...findings, '', total]
}
