import { defineConfig } from '@playwright/test'

export default defineConfig({
  testDir: 'e2e',
  use: { baseURL: 'http://localhost:4173' },
  webServer: {
    command: 'npx waymark build && npx waymark start --port 4173',
    url: 'http://localhost:4173',
  },
})
