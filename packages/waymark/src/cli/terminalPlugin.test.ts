import { expect, test } from 'vitest'
import { restartsServer } from './terminalPlugin.ts'

type Config = Parameters<typeof restartsServer>[0]

const config: Config = {
  configFile: '/app/vite.config.ts',
  configFileDependencies: ['/app/packages.ts'],
  envDir: '/app',
  mode: 'development',
  // Only this member of the server's options is read.
  server: { hmr: true } as Config['server'],
}

test.each([
  ['/app/vite.config.ts', true],
  ['/app/packages.ts', true],
  ['/app/.env', true],
  ['/app/.env.development.local', true],
  ['/app/.env.production', false],
  ['/app/app/page.tsx', false],
])('%s starts the server again: %s', (file, expected) => {
  expect(restartsServer(config, file)).toBe(expected)
})

test('without a folder of environment files, a change of .env restarts nothing', () => {
  expect(restartsServer({ ...config, envDir: false }, '/app/.env')).toBe(false)
})

test('without hot updates Vite never restarts by itself', () => {
  const server = { hmr: false } as Config['server']
  expect(restartsServer({ ...config, server }, '/app/.env')).toBe(false)
})
