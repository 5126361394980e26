import { posix, win32 } from 'node:path'
import { expect, test } from 'vitest'
import { isAppFile } from './virtualModules.ts'

test.each([
  ['/srv/app', '/srv/proxy.ts', posix, true],
  ['/srv/app', '/srv/lib/proxy.ts', posix, false],
  ['/srv/app', '/srv/app/proxy.ts', posix, false],
  ['/srv/app', '/proxy.ts', posix, false],
  ['/srv/app', '/srv/proxy.md', posix, false],
  ['C:/srv/app', 'C:\\srv\\proxy.ts', win32, true],
  ['C:/srv/app', 'C:\\srv\\lib\\server.ts', win32, false],
  ['C:/srv/app', 'D:\\proxy.ts', win32, false],
])('beside %s, the watcher reports %s', (appDir, file, system, expected) => {
  expect(isAppFile(file, appDir, system)).toBe(expected)
})
