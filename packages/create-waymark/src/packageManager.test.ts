import { expect, test } from 'vitest'
import { detectPackageManager } from './packageManager.ts'

test.each([
  ['npm/11.19.1 node/v20.20.2 linux x64 workspaces/false', 'npm', 'npm run dev'],
  ['pnpm/10.2.0 npm/? node/v22.1.0 linux x64', 'pnpm', 'pnpm dev'],
  ['yarn/4.5.0 npm/? node/v22.1.0 linux x64', 'yarn', 'yarn dev'],
  ['bun/1.3.0 npm/? node/v24.3.0 linux x64', 'bun', 'bun run dev'],
  ['other/1.0.0', 'npm', 'npm run dev'],
  [undefined, 'npm', 'npm run dev'],
])('started by “%s”, it is %s', (userAgent, name, dev) => {
  const manager = detectPackageManager(userAgent)
  expect(manager.name).toBe(name)
  expect(manager.run('dev')).toBe(dev)
})
