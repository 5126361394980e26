import { expect, test } from 'vitest'
import { restartsServer } from './terminalPlugin.ts'

type Config = Parameters<typeof restartsServer>[0]

const config: Config = {
  configFile: '/app/vite.config.ts',
  configFileDependencies: ['/app/packages.ts'],
  envDir: '/app',
  mode: 'development',
  // A fake with `hmr` only, because the plugin reads no other server option.
  server: { hmr: true } as Config['server'],
}

test.each([
  ['/app/vite.config.ts', true],
  ['/app/packages.ts', true],
  ['/app/.env', true],
  ['/app/.env.development.local', true],
  ['/app/.env.production', false],
  ['/app/app/page.tsx', false],
])('%s restarts the server: %s', (file, expected) => {
  expect(restartsServer(config, file)).toBe(expected)
})

test('a changed .env restarts nothing if envDir is false', () => {
  expect(restartsServer({ ...config, envDir: false }, '/app/.env')).toBe(false)
})

test("Vite doesn't restart by itself if hot updates are off", () => {
  const server = { hmr: false } as Config['server']
  expect(restartsServer({ ...config, server }, '/app/.env')).toBe(false)
})
