import { posix, win32 } from 'node:path'
import { expect, test } from 'vitest'
import { filePathOf, isBelow, pathFrom } from './filePaths.ts'

test.each([
  ['/app', '/app/page.tsx', posix, true],
  ['/app', '/app', posix, false],
  ['/app', '/application/page.tsx', posix, false],
  ['/app', '/app/..hidden', posix, true],
  ['C:/app', 'C:/app/page.tsx', win32, true],
  ['C:\\app', 'C:/app/page.tsx', win32, true],
  ['C:/app', 'c:\\App\\page.tsx', win32, true],
  ['C:/app', 'C:/other/page.tsx', win32, false],
  ['C:/app', 'D:/app/page.tsx', win32, false],
])('isBelow(%s, %s), case %#', (folder, file, system, expected) => {
  expect(isBelow(folder, file, system)).toBe(expected)
})

test('the path from a folder has slashes on every system', () => {
  expect(pathFrom('/app', '/app/blog/page.tsx', posix)).toBe('blog/page.tsx')
  expect(pathFrom('C:/app', 'C:\\app\\blog\\page.tsx', win32)).toBe('blog/page.tsx')
  expect(pathFrom('C:/app', 'C:/app/blog/page.tsx', win32)).toBe('blog/page.tsx')
  expect(pathFrom('C:/app', 'D:\\page.tsx', win32)).toBe('D:\\page.tsx')
})

test.each([
  ['file:///srv/a%20b.ts', posix, '/srv/a b.ts'],
  ['about://React/Server/file:///srv/a.ts', posix, '/srv/a.ts'],
  ['/srv/a.ts', posix, '/srv/a.ts'],
  ['file:///C:/app/a%20b.ts', win32, 'C:\\app\\a b.ts'],
  ['about://React/Server/file:///C:/app/a.ts', win32, 'C:\\app\\a.ts'],
  ['C:\\app\\a.ts', win32, 'C:\\app\\a.ts'],
  ['https://x.test/a.ts', win32, 'https://x.test/a.ts'],
])('the file %s', (name, system, path) => {
  expect(filePathOf(name, system)).toBe(path)
})
