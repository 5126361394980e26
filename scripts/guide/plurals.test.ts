import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { root } from '../workspace/paths.mjs'
import { readCodeBlocks } from './codeBlocks.ts'

type Forms = Readonly<Record<string, string>>

type Recipe = {
  plural(language: string, forms: Forms, count: number, type?: 'cardinal' | 'ordinal'): string
}

const folder = mkdtempSync(join(tmpdir(), 'plurals-'))
let recipe: Recipe
let pieces: Forms
let placeOf: (place: number) => string

beforeAll(async () => {
  const page = readFileSync(join(root, 'site/app/guide/i18n/page.mdx'), 'utf8')
  for (const { file, code } of readCodeBlocks(page)) {
    if (!/^dictionaries\/(?:plural|pl|places)\.ts$/.test(file ?? '')) continue
    writeFileSync(join(folder, file?.slice('dictionaries/'.length) ?? ''), code)
  }
  recipe = await import(join(folder, 'plural.ts'))
  pieces = (await import(join(folder, 'pl.ts'))).pieces
  placeOf = (await import(join(folder, 'places.ts'))).placeOf
})
afterAll(() => rmSync(folder, { recursive: true }))

test.each([
  [1, '1 sztuka'],
  [2, '2 sztuki'],
  [5, '5 sztuk'],
  [22, '22 sztuki'],
  [1.5, '1,5 sztuki'],
])('the guide’s Polish text has the right form for %d', (count, expected) => {
  expect(recipe.plural('pl', pieces, count)).toBe(expected)
})

test.each([
  [1, '1st place'],
  [2, '2nd place'],
  [3, '3rd place'],
  [4, '4th place'],
  [11, '11th place'],
  [22, '22nd place'],
  [113, '113th place'],
])('the guide’s ordinal has the right form for %d', (place, expected) => {
  expect(placeOf(place)).toBe(expected)
})

test('Arabic selects each of its six forms', () => {
  const forms = { zero: '0', one: '1', two: '2', few: 'f', many: 'm', other: 'o' }
  const counts = [0, 1, 2, 3, 11, 100]
  expect(counts.map((count) => recipe.plural('ar', forms, count))).toEqual([...'012fmo'])
})

test('a missing form falls back to `other`, and the number is formatted for the language', () => {
  expect(recipe.plural('de', { other: '{count} von {count}' }, 1234.5)).toBe('1.234,5 von 1.234,5')
})
