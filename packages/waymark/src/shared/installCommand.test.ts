import { expect, test } from 'vitest'
import { installCommand } from './installCommand.ts'

test.each([
  ['npm/11.19.1 node/v20.20.2 linux x64 workspaces/false', 'npm install sharp'],
  ['pnpm/10.2.0 npm/? node/v22.1.0 linux x64', 'pnpm add sharp'],
  ['yarn/4.5.0 npm/? node/v22.1.0 linux x64', 'yarn add sharp'],
  ['bun/1.3.0 npm/? node/v24.3.0 linux x64', 'bun add sharp'],
  ['other/1.0.0', 'npm install sharp'],
  ['', 'npm install sharp'],
])('started by “%s”, a message names the command %s', (userAgent, command) => {
  expect(installCommand('sharp', userAgent)).toBe(command)
})
