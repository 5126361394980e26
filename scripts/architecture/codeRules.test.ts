import { describe, expect, test } from 'vitest'
import {
  commentViolations,
  foreignNameViolations,
  longFileViolations,
  longFunctionViolations,
} from './codeRules.ts'
import { parseSource } from './source.ts'

const lines = (count: number) => 'a\n'.repeat(count)

describe('the length of a file', () => {
  test('is at most 300 lines', () => {
    expect(longFileViolations([parseSource('site/a.css', lines(300))])).toEqual([])
    expect(longFileViolations([parseSource('site/a.css', lines(301))])).toEqual([
      'site/a.css: 301 lines, at most 300',
    ])
  })
})

describe('the length of a function', () => {
  const statements = (count: number) => lines(count).replaceAll('a\n', '  a()\n')

  test.each([
    ['a declaration', (inner: string) => `function long() {\n${inner}}`],
    ['an arrow function', (inner: string) => `const long = () => {\n${inner}}`],
    ['a method', (inner: string) => `const x = {\nlong() {\n${inner}}}`],
  ])('is at most 60 lines in %s', (_, wrap) => {
    const check = (count: number) =>
      longFunctionViolations([parseSource('scripts/a.ts', wrap(statements(count)))])
    expect(check(58)).toEqual([])
    expect(check(59)).toEqual([expect.stringContaining('long has 61 lines')])
  })

  test('is free in a suite of tests', () => {
    const suite = `describe('a', () => {\n${statements(80)}})`
    expect(longFunctionViolations([parseSource('scripts/a.test.ts', suite)])).toEqual([])
  })
})

describe("another framework's name", () => {
  const text = "const link = 'next/link'"

  test('is found in the core', () => {
    expect(foreignNameViolations([parseSource('packages/waymark/src/a.ts', text)])).toHaveLength(1)
  })

  test('may stand in the package beside it', () => {
    expect(foreignNameViolations([parseSource('packages/waymark-next/src/a.ts', text)])).toEqual([])
  })
})

describe('comments', () => {
  const check = (text: string) => commentViolations([parseSource('scripts/a.ts', text)])

  test.each([
    '// TODO later',
    '/* FIXME: wrong */',
    '// @ts-ignore',
    '// @ts-nocheck',
    '// @ts-expect-error',
    '// biome-ignore lint/suspicious/noExplicitAny',
    '// biome-ignore lint/suspicious/noExplicitAny: <explanation>',
  ])('%s is found', (text) => {
    expect(check(text)).toHaveLength(1)
  })

  test.each([
    '// @ts-expect-error the types of the package lack this option',
    '// biome-ignore lint/suspicious/noExplicitAny: the border to untyped JSON',
    "const text = '// TODO in a string'",
  ])('%s is fine', (text) => {
    expect(check(text)).toEqual([])
  })
})
