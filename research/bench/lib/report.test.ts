import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test, vi } from 'vitest'
import { printTable } from './report.mjs'

const bench = fileURLToPath(new URL('..', import.meta.url))

test('a table names the Node that measured it', () => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {})
  onTestFinished(() => log.mockRestore())
  printTable([['page', 'page']], [{ page: 'small' }])
  const lines = log.mock.calls.map(([line]) => line)
  expect(lines).toEqual([`Node ${process.versions.node}`, 'page', 'small'])
})

test('the version of Node is printed with each table', () => {
  const folders = ['.', 'lib', 'peers', 'floors'].map((name) => join(bench, name))
  const files = folders.flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.mjs'))
      .map((name) => join(folder, name)),
  )
  const printsTable = (file: string) => readFileSync(file, 'utf8').includes('console.table(')
  expect(files.filter(printsTable)).toEqual([])
})
