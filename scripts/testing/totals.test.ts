import { describe, expect, test } from 'vitest'
import { closingLine, parseReport, sumTotals } from './totals.mjs'

describe('totals of a test run', () => {
  test('are read from the output of the JSON reporter, with the names of failed tests', () => {
    const numbers = { numPassedTests: 3, numFailedTests: 1, numPendingTests: 1, numTodoTests: 1 }
    const testResults = [
      {
        name: '/a.test.ts',
        status: 'failed',
        message: '',
        assertionResults: [
          {
            status: 'failed',
            fullName: 'suite fails',
            failureMessages: ['Error: 1\n    at run (/lib.ts:1:1)\n    at /a.test.ts:2:3'],
          },
          { status: 'passed', fullName: 'suite passes', failureMessages: [] },
        ],
      },
      { name: '/b.test.ts', status: 'passed', message: '', assertionResults: [] },
      { name: '/broken.test.ts', status: 'failed', message: 'No file.', assertionResults: [] },
    ]
    expect(parseReport(JSON.stringify({ ...numbers, testResults }))).toEqual({
      totals: { passed: 3, failed: 1, skipped: 2 },
      failures: [
        '/a.test.ts: suite fails\n    Error: 1\n    at /a.test.ts:2:3',
        '/broken.test.ts\n    No file.',
      ],
    })
  })

  test('are added up over all stages', () => {
    const stages = [
      { name: 'types', ok: true, totals: null },
      { name: 'unit', ok: true, totals: { passed: 5, failed: 0, skipped: 1 } },
      { name: 'e2e', ok: false, totals: { passed: 2, failed: 3, skipped: 0 } },
    ]
    expect(sumTotals(stages)).toEqual({ passed: 7, failed: 3, skipped: 1 })
  })

  test('never say "0 failed" if a stage failed', () => {
    const stages = [
      { name: 'lint', ok: false, totals: null },
      { name: 'unit', ok: false, totals: { passed: 5, failed: 0, skipped: 0 } },
    ]
    expect(sumTotals(stages).failed).toBe(2)
  })

  test('are printed as one plain line', () => {
    expect(closingLine({ passed: 5, failed: 0, skipped: 0 })).toBe('5 passed, 0 failed')
    expect(closingLine({ passed: 5, failed: 1, skipped: 2 })).toBe('5 passed, 1 failed, 2 skipped')
  })
})
