import { defineConfig } from 'vitest/config'

// Unit tests, beside the source. The end-to-end tests have a configuration of their own.
export default defineConfig({
  test: {
    include: [
      'packages/*/src/**/*.test.{ts,tsx}',
      'scripts/**/*.test.ts',
      'e2e/adversary/**/*.test.ts',
      'e2e/harness/**/*.test.ts',
      'site/**/*.test.{ts,tsx}',
      'bench/**/*.test.ts',
      'examples/**/*.test.ts',
    ],
    exclude: ['**/node_modules/**', '**/dist/**', '**/.waymark/**', 'e2e/apps/**'],
    environment: 'node',
    // A test that fails now and then is mended: it waits for a condition, or has a clock of its own.
    retry: 0,
    // Servers and processes that a test starts take their time on a machine that does other work.
    testTimeout: 20_000,
    // The default depends on the CI variable; here a run means the same everywhere.
    allowOnly: false,
  },
})
