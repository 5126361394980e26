/**
 * @typedef {{ passed: number, failed: number, skipped: number }} Totals
 * @typedef {{ name: string, ok: boolean, totals: Totals | null, failures?: readonly string[], leftOut?: readonly string[] }} StageResult
 *   `totals` is null for a stage that counts no tests; `failures` are the full names of
 *   failed tests, with the reasons; `leftOut` describes the tests that a selection did not run
 */

/**
 * Parses the output of Vitest's JSON reporter.
 * @param {string} json
 * @returns {{ totals: Totals, failures: readonly string[] }}
 */
export function parseReport(json) {
  const report = JSON.parse(json)
  const totals = {
    passed: report.numPassedTests,
    failed: report.numFailedTests,
    skipped: report.numPendingTests + report.numTodoTests,
  }
  return { totals, failures: report.testResults.flatMap(failuresIn) }
}

/**
 * @typedef {{ status: string, fullName: string, failureMessages: readonly string[] }} TestReport
 * @param {{ name: string, status: string, message: string, assertionResults: readonly TestReport[] }}
 *   file a file of the report
 */
function failuresIn({ name, status, message, assertionResults }) {
  const failed = assertionResults.filter((test) => test.status === 'failed')
  // A file that could not be loaded has no tests, but counts as a failure.
  if (failed.length === 0) return status === 'failed' ? [withReason(name, message)] : []
  return failed.map(({ fullName, failureMessages: [first = ''] }) =>
    withReason(`${name}: ${fullName}`, first),
  )
}

/**
 * Adds the message of a failure to its name, so that the last lines of a run show the reason.
 * @param {string} name
 * @param {string} message message of an error, with its stack
 */
function withReason(name, message) {
  const [first = '', ...stack] = message.split('\n')
  const place = stack.find((line) => line.includes('.test.'))?.trim()
  return [name, first, place].filter(Boolean).join('\n    ')
}

/**
 * Adds up the stages. A stage that failed without a failed test (types, lint, a file that could not
 * be loaded) counts as one failure, so a failed run never ends with "0 failed".
 * @param {readonly StageResult[]} stages
 * @returns {Totals}
 */
export function sumTotals(stages) {
  const sum = { passed: 0, failed: 0, skipped: 0 }
  for (const { ok, totals } of stages) {
    const failed = totals?.failed ?? 0
    sum.passed += totals?.passed ?? 0
    sum.failed += ok ? failed : Math.max(failed, 1)
    sum.skipped += totals?.skipped ?? 0
  }
  return sum
}

/**
 * Returns the last line of a test run.
 * @param {Totals} totals
 */
export function closingLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}
