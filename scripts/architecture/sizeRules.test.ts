import { describe, expect, test } from 'vitest'
import {
  fanOutViolations,
  smallFileViolations,
  tinyShareViolations,
  totalViolations,
} from './sizeRules.ts'
import { parseSource } from './source.ts'

/** Sources of the framework, named from its `src` folder. */
function core(files: Record<string, string>) {
  return Object.entries(files).map(([path, text]) =>
    parseSource(`packages/waymark/src/${path}`, text),
  )
}

const code = (lines: number) => 'a()\n'.repeat(lines)
const imports = (...paths: string[]) => paths.map((path) => `import '${path}'\n`).join('')

describe('a small file', () => {
  const check = (files: Record<string, string>, allowed = {}) =>
    smallFileViolations(core(files), allowed)

  test('belongs into the one module that imports it', () => {
    expect(check({ 'rsc/a.ts': code(39), 'rsc/b.ts': imports('./a.ts') })).toEqual([
      'packages/waymark/src/rsc/a.ts: 39 code lines that only packages/waymark/src/rsc/b.ts imports',
    ])
  })

  test('is measured without blank lines and comments', () => {
    const text = code(30) + '\n// why\n/** What. */\n'.repeat(20)
    expect(check({ 'rsc/a.ts': text, 'rsc/b.ts': imports('./a.ts') })).toHaveLength(1)
  })

  test.each([
    ['long enough', { 'rsc/a.ts': code(40), 'rsc/b.ts': imports('./a.ts') }],
    [
      'imported by two',
      { 'rsc/a.ts': code(9), 'rsc/b.ts': imports('./a.ts'), 'rsc/c.ts': imports('./a.ts') },
    ],
    ['public', { 'rsc/a.ts': code(9), 'index.ts': imports('./rsc/a.ts') }],
    ['a component', { 'rsc/a.tsx': code(9), 'rsc/b.ts': imports('./a.tsx') }],
    ['declarations', { 'rsc/a.d.ts': 'declare const a: 1', 'rsc/b.ts': imports('./a.d.ts') }],
    ['a test', { 'rsc/a.ts': code(9), 'rsc/a.test.ts': imports('./a.ts') }],
  ])('may stand alone where it is %s', (_, files: Record<string, string>) => {
    expect(check(files)).toEqual([])
  })

  test('may stand alone with a reason, as long as there is one', () => {
    const files = { 'rsc/a.ts': code(9), 'rsc/b.ts': imports('./a.ts') }
    expect(check(files, { 'rsc/a.ts': 'loads apart' })).toEqual([])
    expect(check({}, { 'rsc/a.ts': 'loads apart' })).toHaveLength(1)
  })
})

describe('the tiny files of a folder', () => {
  const folder = (tiny: number, others: number) => {
    const names = Array.from({ length: tiny + others }, (_, index) => `${index}.ts`)
    const files = names.map((name, index) => [`rsc/${name}`, code(index < tiny ? 19 : 20)])
    return core({
      ...Object.fromEntries(files),
      'ssr/a.ts': imports(...names.map((name) => `../rsc/${name}`)),
    })
  }

  test('are at most 15 % of seven or more', () => {
    expect(tinyShareViolations(folder(1, 6), {})).toEqual([])
    expect(tinyShareViolations(folder(2, 6), {})).toEqual([
      'rsc/: 2 of 8 files are tiny: 0.ts, 1.ts',
    ])
    expect(tinyShareViolations(folder(6, 0), {})).toEqual([])
  })

  test('are not counted where they are public', () => {
    const entry = core({ 'index.ts': imports('./rsc/0.ts', './rsc/1.ts') })
    expect(tinyShareViolations([...folder(3, 6), ...entry], {})).toEqual([])
  })

  test('may be more with a reason', () => {
    expect(tinyShareViolations(folder(2, 6), { rsc: 'why' })).toEqual([])
    expect(tinyShareViolations(folder(1, 6), { rsc: 'why' })).toHaveLength(1)
  })
})

test('a file imports at most 25 others', () => {
  const importing = (count: number) =>
    core({ 'rsc/a.ts': imports(...Array.from({ length: count }, (_, index) => `./${index}.ts`)) })
  expect(fanOutViolations(importing(25), {})).toEqual([])
  expect(fanOutViolations(importing(26), {})).toHaveLength(1)
  expect(fanOutViolations(importing(26), { 'rsc/a.ts': 'why' })).toEqual([])
  expect(fanOutViolations(importing(25), { 'rsc/a.ts': 'why' })).toHaveLength(1)
})

test('files and code lines have a ceiling, which tests do not count towards', () => {
  const sources = core({ 'rsc/a.ts': code(5), 'rsc/b.ts': code(5), 'rsc/b.test.ts': code(5) })
  expect(totalViolations(sources, { sourceFiles: 2, coreLines: 10 }, {})).toEqual([])
  expect(totalViolations(sources, { sourceFiles: 1, coreLines: 9 }, {})).toHaveLength(2)
  // An optional entry is counted by itself.
  const none = { sourceFiles: 0, coreLines: 0 }
  expect(totalViolations(sources, none, { 'waymark/src/rsc': 10 })).toEqual([])
  expect(totalViolations(sources, none, { 'waymark/src/rsc': 9 })).toHaveLength(1)
})
