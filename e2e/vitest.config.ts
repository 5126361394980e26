import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import RetriedReporter from '../scripts/testing/retriedReporter.ts'
import LongestFirst from './harness/longestFirst.ts'

// End-to-end tests: built apps, real servers, a real browser. `npm run e2e -- <name>` runs one.
export default defineConfig({
  test: {
    root: fileURLToPath(new URL('.', import.meta.url)),
    include: ['*.test.ts'],
    globalSetup: ['harness/globalSetup.ts'],
    setupFiles: ['harness/closeAll.ts'],
    environment: 'node',
    // Starting a process and a browser and loading modules takes a second of processor time, so files
    // share them.
    isolate: false,
    // Each file starts its own servers, and spends half of its time waiting. On two cores, five workers
    // weren't faster than four, and more tests were late.
    maxWorkers: Math.max(4, availableParallelism()),
    sequence: { sequencer: LongestFirst },
    // Only a failing test waits until these limits. On a busy machine, where three other tests run at
    // the same time, ten seconds may become a minute.
    testTimeout: 120_000,
    // A browser is sometimes late while two builds run on two cores. The reporter lists each test that
    // passed only when it was repeated, so that somebody mends it. The aim is 0.
    retry: 1,
    reporters: ['default', new RetriedReporter()],
    hookTimeout: 300_000,
    expect: { poll: { timeout: 40_000, interval: 50 } },
    allowOnly: false,
  },
})
