import { expect, test } from 'vitest'
import {
  packageImportViolations,
  packageSizeViolations,
  publicValueViolations,
  versionViolations,
} from './packageRules.ts'
import { parseSource } from './source.ts'

const rows = {
  shop: { codeLines: 2, entries: ['waymark/drivers'], layers: { cart: ['shared'], shared: [] } },
}
const source = (path: string, text: string) => parseSource(`packages/shop/src/${path}`, text)
const imports = (path: string, ...specifiers: string[]) =>
  packageImportViolations(
    [source(path, specifiers.map((each) => `import '${each}'`).join('\n'))],
    rows,
  )

test('a package has a row, and a ceiling that its tests do not count towards', () => {
  const [a, b] = [source('a.ts', 'a()\nb()'), source('b.ts', 'c()')]
  expect(packageSizeViolations([a, source('a.test.ts', 'a()')], rows)).toEqual([])
  expect(packageSizeViolations([a, b], rows)).toEqual(['packages/shop: 3 code lines, at most 2'])
  expect(packageSizeViolations([a], {})).toEqual(['packages/shop: has no row in packages.ts'])
  expect(packageSizeViolations([], rows)).toEqual(['packages/shop: is gone, take its row away'])
})

test('a package imports the entries that its row names', () => {
  expect(imports('a.ts', 'waymark/drivers', 'redis', 'node:path')).toEqual([])
  expect(imports('a.ts', 'waymark', '@waymark/redis')).toEqual([
    'packages/shop/src/a.ts:1: the row of shop does not name waymark',
    'packages/shop/src/a.ts:2: the row of shop does not name @waymark/redis',
  ])
})

test('an entry of the core exports as many values as its list says, and any types', () => {
  const text = "export { a, type B } from './a.ts'\nexport type { C } from './c.ts'"
  const found = (name: string, list: Readonly<Record<string, number>>) =>
    publicValueViolations([parseSource(`packages/waymark/src/${name}.ts`, text)], list)
  expect(found('shop', { shop: 1 })).toEqual([])
  expect(found('internalShop', {})).toEqual([])
  expect(found('shop', { shop: 0 })).toEqual([
    'packages/waymark/src/shop.ts: exports 1 values, at most 0',
  ])
  expect(found('shop', {})).toEqual([
    'packages/waymark/src/shop.ts: is not in the list of public entries',
  ])
})

test('the folders of a package import along its row', () => {
  expect(imports('cart/a.ts', '../shared/b.ts', './c.ts')).toEqual([])
  expect(imports('shared/a.ts', '../cart/b.ts')).toHaveLength(1)
  expect(imports('index.ts', './cart/a.ts')).toEqual([])
})

test('only tests of a package reach into another one', () => {
  expect(imports('a.ts', '../../waymark/src/b.ts')).toHaveLength(1)
  expect(imports('a.test.ts', '../../waymark/src/b.ts')).toEqual([])
})

test('all packages have one version, and are for that of the core', () => {
  const core = { name: 'waymark', version: '2.0.0' }
  const own = { name: '@waymark/a', version: '2.0.0', peerDependencies: { waymark: '2.0.0' } }
  expect(versionViolations([core, own], {})).toEqual([])
  expect(versionViolations([core, { ...own, version: '1.0.0' }], {})).toHaveLength(1)
  expect(
    versionViolations([core, { ...own, peerDependencies: { waymark: '^1.0.0' } }], {}),
  ).toHaveLength(1)
  expect(versionViolations([core, { ...own, version: '1.0.0' }], { '@waymark/a': 'why' })).toEqual(
    [],
  )
})
