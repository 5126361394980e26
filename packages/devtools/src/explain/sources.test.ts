import { posix, win32 } from 'node:path'
import { expect, test } from 'vitest'
import { relativeFile } from './sources.ts'

test.each([
  ['/app', '/app/app/page.tsx', posix, 'app/page.tsx'],
  ['/app', '/other/page.tsx', posix, '/other/page.tsx'],
  ['C:/app', 'C:/app/app/page.tsx', win32, 'app/page.tsx'],
  ['C:/app', 'C:\\app\\app\\page.tsx', win32, 'app/page.tsx'],
  ['C:/app', 'D:/page.tsx', win32, 'D:/page.tsx'],
])('from %s, the path of %s', (root, file, system, expected) => {
  expect(relativeFile(root, file, system)).toBe(expected)
})
