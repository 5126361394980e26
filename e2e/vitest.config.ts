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
    // To start a process, a browser and to load modules takes a second of processor time: files
    // share them.
    isolate: false,
    // Each file has servers of its own, and spends half of its time waiting. Five at once on two
    // cores were no faster, and more tests were late.
    maxWorkers: Math.max(4, availableParallelism()),
    sequence: { sequencer: LongestFirst },
    // Only a test that fails waits for as long as the limits below. Beside three others, and with other work
    // on the machine, ten seconds may become a minute.
    testTimeout: 120_000,
    // A browser beside two builds on two cores is late now and then. The reporter lists each test that
    // passed only when it ran again, so that it is mended. The aim is 0.
    retry: 1,
    reporters: ['default', new RetriedReporter()],
    hookTimeout: 300_000,
    expect: { poll: { timeout: 40_000, interval: 50 } },
    allowOnly: false,
  },
})
