import { describe, expect, test } from 'vitest'
import {
  commentViolations,
  foreignNameViolations,
  httpImportViolations,
  mockViolations,
  packageNameViolations,
} from './codeRules.ts'
import { parseSource } from './source.ts'

describe("another framework's name", () => {
  const text = "const link = 'next/link'"

  test('is found in the core', () => {
    expect(foreignNameViolations([parseSource('packages/waymark/src/a.ts', text)])).toHaveLength(1)
  })

  test.each(['packages/next/src/a.ts', 'packages/waymark/src/node/packageHints.ts'])(
    'is accepted in %s',
    (path) => {
      expect(foreignNameViolations([parseSource(path, text)])).toEqual([])
    },
  )
})

describe('the name of a package of ours', () => {
  const check = (path: string, text: string) => packageNameViolations([parseSource(path, text)])
  const load = "const load = () => import('@waymark/redis')"

  test('is found in the core', () => {
    expect(check('packages/waymark/src/node/a.ts', load)).toEqual([
      'packages/waymark/src/node/a.ts: names @waymark/redis. Only packageHints.ts may name it.',
    ])
  })

  test.each([
    ['packages/waymark/src/node/packageHints.ts', load],
    ['packages/waymark/src/node/a.test.ts', load],
    ['packages/redis/src/a.ts', load],
    [
      'packages/waymark/src/a.ts',
      '/** As in `@waymark/redis`. */\nexport const a = 1 // @waymark/live',
    ],
  ])('is accepted in %s', (path, text) => {
    expect(check(path, text)).toEqual([])
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
  ])('%s is accepted', (text) => {
    expect(check(text)).toEqual([])
  })
})

describe('a mock', () => {
  const check = (text: string) => mockViolations([parseSource('packages/a/src/a.test.ts', text)])

  test.each([
    "vi.mock('./b.ts', () => ({}))",
    "vi.mock('../b.ts')",
    "vi.mock(import('./b.ts'), () => ({}))",
    "test('a', () => { vi.doMock('./b.ts') })",
  ])('of a file of ours is found: %s', (text) => {
    expect(check(text)).toHaveLength(1)
  })

  test('is reported with its line and the alternative', () => {
    expect(check("\nvi.mock('./b.ts')")).toEqual([
      'packages/a/src/a.test.ts:2: mocks ./b.ts. Pass it in as an argument instead.',
    ])
  })

  test.each([
    "vi.mock('./worker.js?raw', () => ({ default: '' }))",
    "vi.mock('@vitejs/plugin-rsc/rsc.node', () => ({}))",
    'const text = "vi.mock(\'./b.ts\')"',
  ])('of anything else is accepted: %s', (text) => {
    expect(check(text)).toEqual([])
  })
})

describe('an import of node:http', () => {
  const check = (path: string, text: string) => httpImportViolations([parseSource(path, text)])

  test.each([
    ['on one line', "import { get } from 'node:http'"],
    ['on several lines', "import { a } from 'node:net'\nimport {\n  get,\n} from 'node:http'"],
  ])('%s is found', (_, text) => {
    expect(check('packages/image/src/a.ts', text)).toHaveLength(1)
  })

  test.each([
    ['types', "import type { IncomingMessage } from 'node:http'"],
    ['values without an import', "const { get } = process.getBuiltinModule('node:http')"],
  ])('is accepted for %s', (_, text) => {
    expect(check('packages/image/src/a.ts', text)).toEqual([])
  })
})
