import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
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
    testTimeout: 60_000,
    retry: 0,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 10_000, interval: 50 } },
    allowOnly: false,
  },
})
