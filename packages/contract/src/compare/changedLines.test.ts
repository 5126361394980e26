import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readChanges } from './changedLines.ts'

function createRepository(): { readonly root: string; git(...args: string[]): void } {
  const top = mkdtempSync(join(tmpdir(), 'waymark-changes-'))
  onTestFinished(() => rmSync(top, { recursive: true }))
  const identity = ['-c', 'user.name=a', '-c', 'user.email=a@b.example']
  const git = (...args: string[]) =>
    void execFileSync('git', [...identity, ...args], { cwd: top, stdio: 'pipe' })
  git('init', '-q')
  // The app may be in a folder of the repository.
  const root = join(top, 'app of mine')
  mkdirSync(root)
  return { root, git }
}

test('the changes since the last commit of the contract are found', () => {
  const { root, git } = createRepository()
  const write = (name: string, text: string) => writeFileSync(join(root, name), text)
  write('contract.txt', 'first')
  write('gate.ts', 'a\nb\nc\nd\n')
  write('gone.ts', 'x\n')
  write('same.ts', 'x\n')
  git('add', '.')
  git('commit', '-qm', 'one')
  write('gate.ts', 'a\nB\nc\nD\n')
  rmSync(join(root, 'gone.ts'))
  git('add', '-A')
  git('commit', '-qm', 'two')
  write('ä b.ts', 'new')
  const changes = readChanges(root, 'contract.txt')
  expect(Object.fromEntries(changes)).toEqual({
    'gate.ts': [
      { line: 2, text: '-b\n+B\n' },
      { line: 4, text: '-d\n+D\n' },
    ],
    'gone.ts': [{ line: null, text: '-x\n' }],
    'ä b.ts': [{ line: 1, text: '' }],
  })
})

test('without a repository, or before the contract was committed, nothing is known', () => {
  const folder = mkdtempSync(join(tmpdir(), 'waymark-changes-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  expect(readChanges(folder, 'contract.txt').size).toBe(0)
  expect(readChanges(createRepository().root, 'contract.txt').size).toBe(0)
})
