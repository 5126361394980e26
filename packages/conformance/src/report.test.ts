import { expect, test } from 'vitest'
import { resultLines } from './report.ts'

test('the reason of a failure can neither control the terminal nor fill it', () => {
  const reason = `got \u001b[2J\u009b31m${'x'.repeat(100_000)}\n${'line\n'.repeat(1_000)}`
  const lines = resultLines({ group: '', name: 'case', outcome: 'failed', reason })
  expect(lines).not.toMatch(/(?!\n)\p{Cc}/u)
  expect(lines.length).toBeLessThan(2_000)
})
