import { expect, test } from 'vitest'
import { programOf } from './run.mjs'

const windows = { platform: 'win32', execPath: 'C:\\Program Files\\nodejs\\node.exe' }

test("on Windows, Node runs npm's script instead of spawning npm.cmd", () => {
  expect(programOf('npm', windows)).toEqual({
    program: windows.execPath,
    scripts: ['C:\\Program Files\\nodejs\\node_modules\\npm\\bin\\npm-cli.js'],
  })
  expect(programOf('npx', windows).scripts[0]).toMatch(/npx-cli\.js$/)
})

test('other programs, and npm on other systems, are spawned by name', () => {
  const linux = { platform: 'linux', execPath: '/usr/bin/node' }
  expect(programOf(windows.execPath, windows)).toEqual({ program: windows.execPath, scripts: [] })
  expect(programOf('npm', linux)).toEqual({ program: 'npm', scripts: [] })
})
