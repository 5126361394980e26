import { defineConfig } from 'vitest/config'

// Unit tests, beside the source. The end-to-end tests have a configuration of their own.
export default defineConfig({
  test: {
    include: [
      'packages/*/src/**/*.test.{ts,tsx}',
      'scripts/**/*.test.ts',
      'e2e/harness/**/*.test.ts',
      'site/**/*.test.{ts,tsx}',
      'bench/**/*.test.ts',
    ],
    exclude: ['**/node_modules/**', '**/dist/**', '**/.waymark/**', 'e2e/apps/**'],
    environment: 'node',
    // The default depends on the CI variable; here a run means the same everywhere.
    allowOnly: false,
  },
})
