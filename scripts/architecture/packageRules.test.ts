import { expect, test } from 'vitest'
import {
  packageImportViolations,
  packageRowViolations,
  publicEntryViolations,
  versionViolations,
} from './packageRules.ts'
import { parseSource } from './source.ts'

const rows = {
  shop: { entries: ['waymark/drivers'], layers: { cart: ['shared'], shared: [] } },
}
const source = (path: string, text: string) => parseSource(`packages/shop/src/${path}`, text)
const imports = (path: string, ...specifiers: string[]) =>
  packageImportViolations(
    [source(path, specifiers.map((each) => `import '${each}'`).join('\n'))],
    rows,
  )

test('each package needs a row, and each row a package', () => {
  expect(packageRowViolations([source('a.ts', 'a()')], rows)).toEqual([])
  expect(packageRowViolations([source('a.ts', 'a()')], {})).toEqual([
    'packages/shop: has no row in packages.ts',
  ])
  expect(packageRowViolations([], rows)).toEqual(['packages/shop: does not exist. Remove its row.'])
})

test('a package may import the entries in its row', () => {
  expect(imports('a.ts', 'waymark/drivers', 'redis', 'node:path')).toEqual([])
  expect(imports('a.ts', 'waymark', '@waymark/redis')).toEqual([
    'packages/shop/src/a.ts:1: the row of shop does not name waymark',
    'packages/shop/src/a.ts:2: the row of shop does not name @waymark/redis',
  ])
})

test('each entry of the core must be on the list', () => {
  const find = (name: string, entries: readonly string[]) =>
    publicEntryViolations([parseSource(`packages/waymark/src/${name}.ts`, '')], entries)
  expect(find('shop', ['shop'])).toEqual([])
  expect(find('shop', [])).toEqual([
    'packages/waymark/src/shop.ts: is not in the list of public entries',
  ])
})

test('the folders of a package may import what its row allows', () => {
  expect(imports('cart/a.ts', '../shared/b.ts', './c.ts')).toEqual([])
  expect(imports('shared/a.ts', '../cart/b.ts')).toHaveLength(1)
  expect(imports('index.ts', './cart/a.ts')).toEqual([])
})

test('only tests may import files of another package', () => {
  expect(imports('a.ts', '../../waymark/src/b.ts')).toHaveLength(1)
  expect(imports('a.test.ts', '../../waymark/src/b.ts')).toEqual([])
})

test("all packages must have the core's version and require it", () => {
  const core = { name: 'waymark', version: '2.0.0' }
  const live = { name: '@waymark/a', version: '2.0.0', peerDependencies: { waymark: '2.0.0' } }
  expect(versionViolations([core, live], {})).toEqual([])
  expect(versionViolations([core, { ...live, version: '1.0.0' }], {})).toHaveLength(1)
  expect(
    versionViolations([core, { ...live, peerDependencies: { waymark: '^1.0.0' } }], {}),
  ).toHaveLength(1)
  expect(versionViolations([core, { ...live, version: '1.0.0' }], { '@waymark/a': 'why' })).toEqual(
    [],
  )
})
