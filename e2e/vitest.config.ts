import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import RetriedReporter from '../scripts/testing/retriedReporter.ts'
import LongestFirst from './harness/longestFirst.ts'

// Configuration for end-to-end tests, which use built apps, real servers and a real browser. `npm
// run e2e -- <name>` runs one spec.
export default defineConfig({
  test: {
    root: fileURLToPath(new URL('.', import.meta.url)),
    include: ['*.test.ts'],
    globalSetup: ['harness/globalSetup.ts'],
    setupFiles: ['harness/closeAll.ts'],
    environment: 'node',
    // Share processes between files, because starting a process and a browser and loading modules
    // takes a second of processor time.
    isolate: false,
    // Use at least four workers, because each file starts its own servers and spends half of its
    // time waiting. On two cores, five workers weren't faster than four, and more tests timed out.
    maxWorkers: Math.max(4, availableParallelism()),
    // Give the garbage collector more room. Playwright sends a script of several hundred kilobytes
    // to each page, and these strings would otherwise fill the new generation again and again.
    execArgv: ['--min-semi-space-size=16', '--max-semi-space-size=64'],
    sequence: { sequencer: LongestFirst },
    // Set high limits, because only a failing test waits for them. On a busy machine with three
    // other test runs, ten seconds may become a minute.
    testTimeout: 120_000,
    // Repeat a failed test once, because a browser is sometimes late while two builds run on two
    // cores. The reporter lists each test that passed only on the second attempt, so that somebody
    // mends it. The aim is 0.
    retry: 1,
    reporters: ['default', new RetriedReporter()],
    // The build of the site took more than five minutes at a load of 17.
    hookTimeout: 600_000,
    expect: { poll: { timeout: 40_000, interval: 50 } },
    allowOnly: false,
  },
})
