import { expect, test } from 'vitest'
import { copyApp } from './harness/appFolder.ts'
import { runWaymark } from './harness/commandLine.ts'

// The sizes and the content of the test data differ a little in each run, and none of it may be a
// difference. Accessibility has a test of its own.
const check = ['contract', '--check', '--skip', 'accessibility']

test.each(['examples/tracker', 'examples/shop'])('%s does what its contract says', async (app) => {
  const root = copyApp({ app })
  for (const _ of ['with a build', 'without a build']) {
    const { exitCode, output } = await runWaymark(check, root)
    expect(output).toContain('No differences.')
    expect(exitCode).toBe(0)
  }
})
