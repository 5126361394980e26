import { describe, expect, test } from 'vitest'
import { innerLayerViolations, mutualFolderViolations } from './folderRules.ts'
import { parseSource } from './source.ts'

const tables = {
  client: { '.': ['navigation'], navigation: [], 'router.ts': ['navigation', 'actions'] },
}

describe('the folders inside a layer', () => {
  const check = (path: string, text: string) =>
    innerLayerViolations([parseSource(`packages/waymark/src/${path}`, text)], tables)

  test('may import what their table allows', () => {
    expect(check('client/a.ts', "import './navigation/b.ts'")).toEqual([])
    expect(check('client/navigation/a.ts', "import './b.ts'; import '../../shared/c.ts'")).toEqual(
      [],
    )
  })

  test.each([
    ['a value', "import { a } from '../a.ts'"],
    ['a type', "import type { A } from '../a.ts'"],
    ['a dynamic import', "const load = () => import('../a.ts')"],
  ])('may not import %s otherwise', (_, text) => {
    expect(check('client/navigation/b.ts', text)).toEqual([
      'packages/waymark/src/client/navigation/b.ts:1: client/navigation may not import client/. (packages/waymark/src/client/a.ts)',
    ])
  })

  test('may all be imported by a file that is named in the table', () => {
    expect(check('client/router.ts', "import './actions/a.ts'")).toEqual([])
    expect(check('client/other.ts', "import './actions/a.ts'")).toHaveLength(1)
  })

  test('must be in the table of their layer', () => {
    expect(check('client/prefetch/a.ts', '')).toHaveLength(1)
    expect(check('vite/dev/a.ts', '')).toHaveLength(1)
    expect(check('routing/a.ts', '')).toEqual([])
  })
})

describe('folders that import each other', () => {
  const mutual = { rsc: { errors: ['page'], page: ['errors'] } }

  test('need a reason', () => {
    expect(mutualFolderViolations(mutual, {})).toHaveLength(1)
    expect(mutualFolderViolations(mutual, { 'rsc: errors ↔ page': 'why' })).toEqual([])
    expect(mutualFolderViolations(tables, { 'rsc: errors ↔ page': 'why' })).toHaveLength(1)
  })
})
