import { expect, test, vi } from 'vitest'
import type { Case } from './cases/case.ts'
import { caseGroups } from './cases/index.ts'
import { createReport, resultLines, summaryLine } from './report.ts'
import { runCases } from './runCases.ts'
import type { TestedHost } from './testedHost.ts'

const passes = async () => {}
const run = (cases: readonly Case[], hasBrowser = true) =>
  runCases({
    groups: [{ title: 'Group', cases }],
    host: {} as TestedHost,
    lacks: ['sockets'],
    hasBrowser,
    onResult: () => {},
  })

test('cases pass, fail, need a feature that the host lacks, or need a browser', async () => {
  const fails = async () => {
    throw new Error('The status is 500.', { cause: new Error('reset') })
  }
  const neverRuns = vi.fn(passes)
  const results = await run(
    [
      { name: 'a', run: passes },
      { name: 'b', run: fails },
      { name: 'c', needs: ['requests', 'sockets'], run: neverRuns },
      { name: 'd', inBrowser: true, run: neverRuns },
    ],
    false,
  )
  expect(results).toEqual([
    { group: 'Group', name: 'a', outcome: 'passed' },
    { group: 'Group', name: 'b', outcome: 'failed', reason: 'The status is 500. (reset)' },
    { group: 'Group', name: 'c', outcome: 'unsupported', reason: 'The host lacks sockets.' },
    { group: 'Group', name: 'd', outcome: 'skipped', reason: 'No browser was found.' },
  ])
  expect(neverRuns).not.toHaveBeenCalled()
  const report = createReport(
    { name: 'A host', lacks: ['sockets'] },
    { waymark: '1.0.0', date: '2026-11-30', cases: results },
  )
  expect(summaryLine(report)).toBe(
    'A host: 1 passed, 1 failed, 1 unsupported, 1 skipped, because no browser was found',
  )
  expect(results.map(resultLines)[1]).toBe('✗ b\n    The status is 500. (reset)')
})

test('a case that never ends fails', async () => {
  vi.useFakeTimers()
  const results = run([{ name: 'a', run: () => new Promise(() => {}) }])
  await vi.advanceTimersByTimeAsync(60_000)
  expect(await results).toMatchObject([{ outcome: 'failed', reason: 'It took longer than 60 s.' }])
  vi.useRealTimers()
})

test('each case has a name of its own', () => {
  const names = caseGroups.flatMap(({ cases }) => cases.map(({ name }) => name))
  expect(new Set(names).size).toBe(names.length)
})
