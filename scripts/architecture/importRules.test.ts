import { describe, expect, test } from 'vitest'
import {
  clientBorderViolations,
  cycleViolations,
  entryViolations,
  layerViolations,
  publicApiViolations,
} from './importRules.ts'
import { parseSource } from './source.ts'

/** Creates sources of the framework, with paths relative to the core's `src` folder. */
function core(files: Record<string, string>) {
  return Object.entries(files).map(([path, text]) =>
    parseSource(`packages/waymark/src/${path}`, text),
  )
}

describe('the layers', () => {
  test.each([
    ['a value', "import { a } from '../rsc/a.ts'"],
    ['a type', "import type { A } from '../rsc/a.ts'"],
    ['an inline type', "type A = import('../rsc/a.ts').A"],
    ['a dynamic import', "const load = () => import('../rsc/a.ts')"],
    ['a re-export', "export * from '../rsc/a.ts'"],
    ['a side effect', "import '../rsc/a.ts'"],
  ])('forbid %s from a layer above', (_, text) => {
    expect(layerViolations(core({ 'routing/match.ts': text }))).toEqual([
      'packages/waymark/src/routing/match.ts:1: routing/ may not import rsc/ (packages/waymark/src/rsc/a.ts)',
    ])
  })

  test('forbid a folder that is not in the table', () => {
    expect(layerViolations(core({ 'common/a.ts': '' }))).toHaveLength(1)
  })

  test('allow the own folder, a layer below and packages, and allow everything in tests', () => {
    const text = "import './b.ts'\nimport '../shared/c.ts'\nimport 'react'"
    expect(layerViolations(core({ 'routing/a.ts': text }))).toEqual([])
    expect(layerViolations(core({ 'routing/a.test.ts': "import '../rsc/a.ts'" }))).toEqual([])
  })
})

describe('the boundary to client files', () => {
  const importer = { 'rsc/a.ts': "import { Link } from '../components/link.tsx'" }

  test("forbids a file without 'use client'", () => {
    const sources = core({ ...importer, 'components/link.tsx': 'export const Link = 1' })
    expect(clientBorderViolations(sources)).toHaveLength(1)
  })

  test("allows a file with 'use client'", () => {
    const sources = core({
      ...importer,
      'components/link.tsx': "'use client'\nexport const Link = 1",
    })
    expect(clientBorderViolations(sources)).toEqual([])
  })
})

describe('public entries', () => {
  test('may not contain logic', () => {
    expect(entryViolations(core({ 'index.ts': 'export const a = 1' }))).toHaveLength(1)
  })

  test('may not be imported from inside', () => {
    const sources = core({ 'rsc/a.ts': "import { Link } from '../index.ts'" })
    expect(entryViolations(sources)).toHaveLength(1)
  })

  test('may re-export', () => {
    const sources = core({ 'index.ts': "export { a } from './rsc/a.ts'\nexport * from './b/b.ts'" })
    expect(entryViolations(sources)).toEqual([])
  })
})

describe('circular imports', () => {
  test('are found across several files, even if they import only types', () => {
    const sources = core({
      'rsc/a.ts': "import { b } from './b.ts'",
      'rsc/b.ts': "import type { C } from './c.ts'",
      'rsc/c.ts': "import { a } from './a.ts'",
    })
    expect(cycleViolations(sources)).toEqual([
      'circular imports: packages/waymark/src/rsc/a.ts → packages/waymark/src/rsc/b.ts → packages/waymark/src/rsc/c.ts → packages/waymark/src/rsc/a.ts',
    ])
  })

  test('are found in a file that imports itself', () => {
    expect(cycleViolations(core({ 'rsc/a.ts': "import './a.ts'" }))).toHaveLength(1)
  })

  test('are not reported for two paths to one file', () => {
    const sources = core({
      'rsc/a.ts': "import './b.ts'\nimport './c.ts'",
      'rsc/b.ts': "import './c.ts'",
      'rsc/c.ts': '',
    })
    expect(cycleViolations(sources)).toEqual([])
  })
})

describe('the public API', () => {
  const specifiers = ['waymark', 'waymark/client']

  test.each([
    ['an internal entry', 'site/app/page.tsx', "import 'waymark/internal/rsc'"],
    [
      'a path into a package',
      'site/app/page.tsx',
      "import '../../packages/waymark/src/rsc/handler.ts'",
    ],
    [
      'a path from one package into another',
      'packages/waymark-next/src/link.ts',
      "import '../../waymark/src/client/link.tsx'",
    ],
  ])('is bypassed by %s', (_, path, text) => {
    expect(publicApiViolations([parseSource(path, text)], specifiers)).toHaveLength(1)
  })

  test('is enough for the site and the other packages', () => {
    const text = "import 'waymark'\nimport 'waymark/client'\nimport '../parts/a.ts'"
    expect(publicApiViolations([parseSource('site/app/page.tsx', text)], specifiers)).toEqual([])
  })
})
