import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { entryNames, referencePage } from './reference.ts'

test('each public entry of the packages has a page of the reference', () => {
  const pages = readdirSync(join(import.meta.dirname, '../app/reference'), { withFileTypes: true })
  const folders = pages.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  expect(folders.toSorted()).toEqual(entryNames().toSorted())
})

test('each page of the reference can be written', async () => {
  const pages = await Promise.all(entryNames().map(referencePage))
  expect(pages.filter(({ markdown }) => !markdown.startsWith('# '))).toEqual([])
  const empty = pages.filter(({ markdown }) => !markdown.includes('\n### '))
  expect(empty.map(({ title }) => title)).toEqual([])
})
