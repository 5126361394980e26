import { defineConfig } from 'vitest/config'

export default defineConfig({
  // Lets tests import server-only and client-only modules. The build still checks where these
  // modules run.
  resolve: { alias: { 'server-only': 'node:process', 'client-only': 'node:process' } },
  test: { exclude: ['node_modules', '.waymark', 'e2e'] },
})
