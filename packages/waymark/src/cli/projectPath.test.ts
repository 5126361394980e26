import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { checkProjectPath, pathProblem } from './projectPath.ts'

// e2e/oddFolders.test.ts runs an app in a folder with most of these characters.
test.each([
  "Tom's app",
  'say "hi"',
  '100%',
  'a%20b',
  'a&b;c,d=e+f@g!h^i~j|k<l>',
  'a (b) [c] {d,e}',
  '$x $& `z`',
  '[...slug]',
  'a\tb',
  'a\nb',
  'über ü 日本 👩‍💻',
  '.hidden',
  '-dash',
  'x.node_modules',
  'node_modules.old',
  'dist',
  'app.tsx',
])('the folder %j is supported', (name) => {
  expect(pathProblem(`/home/${name}/app`, 'dev', 'linux')).toBe(null)
  expect(pathProblem(`/home/${name}/app`, 'build', 'linux')).toBe(null)
})

test.each([
  ['/home/a#b', '"#"', '"#"'],
  ['/home/a?b', '"?"', '"?"'],
  ['/home/a*b', '"*"', '"*"'],
  ['/home/a\\b', '"\\"', '"\\"'],
  ['/home/a:b', '":"', null],
  ['/home/node_modules/app', 'node_modules', null],
  ['/home/app/node_modules', 'node_modules', null],
])('%s: the dev server refuses %s, and a build refuses %s', (path, inDev, inBuild) => {
  expect(pathProblem(path, 'dev', 'linux')).toContain(inDev)
  if (inBuild === null) expect(pathProblem(path, 'build', 'linux')).toBe(null)
  else expect(pathProblem(path, 'build', 'linux')).toContain(inBuild)
})

test('a path of Windows is supported', () => {
  expect(pathProblem('C:\\Users\\Tom\\app', 'dev', 'win32')).toBe(null)
  expect(pathProblem('C:\\Users\\C#\\app', 'dev', 'win32')).toContain('"#"')
})

test('the path behind a symbolic link counts, too', () => {
  const parent = realpathSync(mkdtempSync(join(tmpdir(), 'waymark-path-')))
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }))
  mkdirSync(join(parent, 'a#b'))
  symlinkSync(join(parent, 'a#b'), join(parent, 'link'), 'junction')
  expect(() => checkProjectPath(join(parent, 'link'), 'build')).toThrow(
    `The path of the project, ${JSON.stringify(join(parent, 'a#b'))}, contains "#"`,
  )
  expect(() => checkProjectPath(join(parent, 'absent'), 'build')).not.toThrow()
})
