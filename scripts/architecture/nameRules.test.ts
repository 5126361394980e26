import { describe, expect, test } from 'vitest'
import { baseNameViolations, exportedNameViolations, retiredWordViolations } from './nameRules.ts'
import { parseSource } from './source.ts'

describe('exported names', () => {
  const check = (...files: (readonly [path: string, text: string])[]) =>
    exportedNameViolations(files.map(([path, text]) => parseSource(path, text)))

  test('may exist once in a package, types included', () => {
    expect(
      check(
        ['packages/waymark/src/x.ts', 'export const send = 1\nexport type Change = 1'],
        ['packages/waymark/src/y/z.ts', 'export function send() {}\nexport type Change = 2'],
      ),
    ).toEqual([
      'packages/waymark/src/y/z.ts: packages/waymark/src/x.ts also exports send',
      'packages/waymark/src/y/z.ts: packages/waymark/src/x.ts also exports Change',
    ])
  })

  test('may be repeated in another package, in tests, in re-exports and in their own file', () => {
    expect(
      check(
        ['packages/waymark/src/x.ts', 'export function send(): void\nexport function send() {}'],
        ['packages/waymark/src/x.test.ts', 'export const send = 1'],
        ['packages/waymark/src/index.ts', "export { send } from './x.ts'"],
        ['packages/b/src/x.ts', 'export const send = 1'],
      ),
    ).toEqual([])
  })
})

describe('base names', () => {
  const check = (...paths: string[]) =>
    baseNameViolations(paths.map((path) => parseSource(path, '')))

  test('may exist once in a package, whatever their extension', () => {
    expect(check('packages/a/src/x/files.ts', 'packages/a/src/y/Files.tsx')).toEqual([
      'packages/a/src/y/Files.tsx: packages/a/src/x/files.ts has the same base name',
    ])
  })

  test('may be repeated in another package, in tests and outside of packages', () => {
    expect(check('packages/a/src/files.ts', 'packages/b/src/files.ts')).toEqual([])
    expect(check('packages/a/src/files.ts', 'packages/a/src/files.test.ts')).toEqual([])
    expect(check('packages/a/src/files.ts', 'packages/a/src/testing/files.ts')).toEqual([])
    expect(check('site/a/page.tsx', 'site/b/page.tsx')).toEqual([])
  })
})

describe('retired words', () => {
  const check = (
    text: string,
    allowed: Record<string, string> = {},
    path = 'packages/waymark/src/rsc/a.ts',
  ) => retiredWordViolations([parseSource(path, text)], allowed)

  test.each([
    ['a function', 'export function createUnreadAnswers() {}'],
    ['a constant', 'export const heldSegments = 1'],
    ['a second constant', 'export const a = 1, keptUrl = 2'],
    ['a type', 'export type KeptPages = 1'],
    ['a list of names', 'const a = 1; export { a as aheadOfClick }'],
  ])('are found in %s', (_, text) => {
    expect(check(text)).toHaveLength(1)
  })

  test('are found in each package, but not in tests', () => {
    const text = 'export const shownPage = 1'
    expect(check(text, {}, 'packages/offline/src/a.ts')).toHaveLength(1)
    expect(check(text, {}, 'packages/offline/src/a.test.ts')).toEqual([])
  })

  test('are accepted in the names of not-found pages', () => {
    expect(check('export const matchNotFound = 1, NOT_FOUND = 2')).toEqual([])
    expect(check('export const foundPage = 1')).toHaveLength(1)
  })

  test('are accepted as a part of a longer word, inside a file and in re-exports', () => {
    expect(check('export const madeira = 1')).toEqual([])
    expect(check('const keptPage = 1')).toEqual([])
    expect(check("export { keptPage } from './b.ts'")).toEqual([])
  })

  test('are accepted in a name on the list, and the list names no name that is gone', () => {
    expect(check('export const maxParts = 1', { maxParts: 'of a body' })).toEqual([])
    expect(check('export const a = 1', { maxParts: 'of a body' })).toEqual([
      'nothing exports maxParts. Remove it from the list.',
    ])
  })
})
