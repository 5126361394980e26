import { escapeHtml } from 'waymark/plugin/node'
import type { DrillResult } from './drillResult.ts'

/** What a drill found. */
export type DrillReport = {
  readonly results: readonly DrillResult[]
  /** Loads that there was no time or no browser for. */
  readonly leftOut: number
  readonly hasBrowserEnded: boolean
  readonly chosen: { readonly problems: readonly string[] }
  readonly ms: number
}

/** The report for programs; `ok` when nothing is stuck or lost. */
export function drillJson({ results, leftOut, hasBrowserEnded, chosen, ms }: DrillReport) {
  const ok = !hasBrowserEnded && results.length > 0 && results.every(({ isOk }) => isOk)
  const loads = results.map(({ isOk, ...result }) => ({ ...result, ok: isOk }))
  return { ok, ms, leftOut, hasBrowserEnded, problems: chosen.problems, loads }
}

/** The report for CI servers: a suite for each route, a test for each fault. */
export function junitXml({ results, ms }: DrillReport): string {
  const suites = [...new Set(results.map(({ route }) => route))].map((route) => {
    const routeResults = results.filter((result) => result.route === route)
    const cases = routeResults.map((result) => {
      const { fault, outcome, isOk } = result
      const open = `    <testcase classname="${escapeHtml(route)}" name="${escapeHtml(fault)}" time="${result.ms / 1000}"`
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

/** The report for people: a line for each route, then what is wrong and what to do. */
export function summaryLines({ results, leftOut, hasBrowserEnded, ms }: DrillReport): string[] {
  const routes = [...new Set(results.map(({ route }) => route))]
  const lines = routes.map((route) => {
    const routeResults = results.filter((result) => result.route === route)
    const counts = (['arrived', 'screen', 'notice', 'stuck'] as const)
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
    ? 'the browser ended by itself, perhaps for want of memory: drill again'
    : 'the minutes were over'
  const rest = leftOut > 0 ? `; ${leftOut} left out, for ${why}` : ''
  const total = `${results.length} loads in ${Math.round(ms / 1000)} s, ${wrong.length} wrong${rest}`
  return ['', ...lines, ...findings, '', total]
}
