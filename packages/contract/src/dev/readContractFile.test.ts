import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findNewerFile, readContractFile } from './readContractFile.ts'

let root = ''
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'waymark-contract-'))
})
afterEach(() => rmSync(root, { recursive: true }))

function write(name: string, text: string, changedAtSeconds = 1_000_000): void {
  mkdirSync(join(root, name, '..'), { recursive: true })
  writeFileSync(join(root, name), text)
  utimesSync(join(root, name), changedAtSeconds, changedAtSeconds)
}

test('an app without a contract has none', async () => {
  expect(await readContractFile(root)).toBeNull()
})

test('a contract is read with the time of its file', async () => {
  write('contract.txt', 'personas: anonymous\n\npage /\n  access everyone: 200\n')
  expect(await readContractFile(root)).toEqual({
    kind: 'read',
    writtenAtMs: 1_000_000_000,
    contract: {
      personas: ['anonymous'],
      entries: [{ kind: 'page', name: '/', properties: { 'access everyone': '200' } }],
    },
  })
})

test.each([
  ['<<<<<<< HEAD\npage /\n=======\n>>>>>>> other\n', 'has a merge conflict at line 1'],
  ['page /\n  access everyone: 200\n=======\n', 'has a merge conflict at line 3'],
  ['page /\n  access everyone\n', "can't be read. Line 2 isn't part of a contract"],
  [`${'x'.repeat(10_000)}\n`, "can't be read. Line 1 isn't part of a contract"],
])('a broken file is described: %#', async (text, problem) => {
  write('contract.txt', text)
  const read = await readContractFile(root)
  if (read?.kind !== 'unreadable') throw new Error('The file was read.')
  expect(read.problem).toContain(problem)
  expect(read.problem.length).toBeLessThan(400)
})

test('a folder with the name of the file is described', async () => {
  mkdirSync(join(root, 'contract.txt'))
  expect(await readContractFile(root)).toMatchObject({
    kind: 'unreadable',
    problem: expect.stringContaining("contract.txt can't be read."),
  })
})

test('the newest file of the app is found if it is newer than the contract', async () => {
  const appDir = join(root, 'app')
  const find = () => findNewerFile({ root, appDir }, 1_000_000_000)
  expect(await find()).toBeNull()
  write('app/page.tsx', '', 1_000_002)
  write('notes.txt', '', 1_000_900)
  expect(await find()).toBeNull()
  write('app/board/page.tsx', '', 1_000_100)
  expect(await find()).toBe('app/board/page.tsx')
  write('database/open.ts', '', 1_000_200)
  write('.waymark/contract.json', JSON.stringify({ imports: { 'database/open.ts': [] } }))
  expect(await find()).toBe('database/open.ts')
  write('.waymark/contract.json', '{"imports":')
  expect(await find()).toBe('app/board/page.tsx')
})
