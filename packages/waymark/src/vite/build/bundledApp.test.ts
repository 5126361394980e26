import { expect, test } from 'vitest'
import type { ResolvedNames } from '../routes/actionReachability.ts'
import { readImportedNames } from '../routes/importedNames.ts'
import { createClientReferences, joinGraphs } from './bundledApp.ts'

const imports = new Map([
  ['page', ['list', 'button']],
  ['list', ['item', 'page']],
  ['item', ['chart']],
  ['chart', ['button']],
])
const nothing = { imports: new Map(), dynamicImports: new Map(), importers: new Map() }
const server = { ...nothing, imports }
const references = {
  button: { referenceKey: 'b', renderedExports: ['Button'] },
  chart: { referenceKey: 'c', renderedExports: ['Chart', 'default'] },
}

test("a module's client references are found through its imports, but not behind other references", () => {
  const { referencesOf } = createClientReferences(
    { server, client: nothing },
    references,
    () => null,
  )
  expect([...referencesOf('page')].sort()).toEqual(['b', 'c'])
  expect([...referencesOf('item')]).toEqual(['c'])
  expect([...referencesOf('unknown')]).toEqual([])
})

/**
 * Returns the client references that an app's route files may show. In the sources, import specifiers
 * are module ids.
 */
async function reachable(sources: Readonly<Record<string, string>>, routeFiles: readonly string[]) {
  const names = new Map<string, ResolvedNames>()
  const importers = new Map<string, string[]>()
  for (const [id, code] of Object.entries(sources)) {
    const read = await readImportedNames(code)
    const inApp = (specifier: string) => `/app/${specifier}`
    if (read) names.set(inApp(id), { ...read, resolved: inApp })
    for (const [, imported = ''] of code.matchAll(/(?:from|import\(?) ?'([\w./]+)'/g)) {
      importers.set(inApp(imported), [...(importers.get(inApp(imported)) ?? []), inApp(id)])
    }
  }
  const { listReachable } = createClientReferences(
    { server: { ...nothing, importers }, client: nothing },
    {
      '/app/button': { referenceKey: 'b', renderedExports: ['Button'] },
      '/app/chart': { referenceKey: 'c', renderedExports: ['Chart', 'default'] },
      '/app/unused': { referenceKey: 'u', renderedExports: [] },
    },
    (side, id) => (side === 'server' ? (names.get(id) ?? null) : null),
  )
  return listReachable('/app', new Set(routeFiles))
}

const page = (imports: string, used: string) =>
  `${imports}\nexport default function Page() { return ${used} }`

test.each<[string, Readonly<Record<string, string>>, readonly string[]]>([
  ['of its import', { 'page.tsx': page("import { Button } from 'button'", 'Button') }, ['b']],
  ['of a default import', { 'page.tsx': page("import C from 'chart'", 'C') }, ['c']],
  [
    'of one export of a file that exports all of them',
    {
      ui: "export * from 'button'\nexport { Chart } from 'chart'\nexport const plain = 1",
      'page.tsx': page("import { Button } from 'ui'", 'Button'),
    },
    ['b'],
  ],
  [
    'except if it imports only a plain export of the module',
    {
      ui: "export { Button } from 'button'\nexport const plain = 1",
      'page.tsx': page("import { plain } from 'ui'", 'plain'),
    },
    [],
  ],
  [
    'of a server component that it imports',
    {
      card: "import { Chart } from 'chart'\nexport function Card() { return Chart }",
      'page.tsx': page("import { Card } from 'card'", 'Card'),
    },
    ['c'],
  ],
  [
    'of a module that it imports dynamically',
    {
      card: "import { Chart } from 'chart'\nexport default () => Chart",
      'page.tsx': page("const load = () => import('card')", 'load()'),
    },
    ['c'],
  ],
  [
    'of a component in an exported list',
    {
      list: "import { Chart } from 'chart'\nexport const list = []\nlist.push(Chart)",
      'page.tsx': page("import { list } from 'list'", 'list'),
    },
    ['c'],
  ],
  [
    'through a module whose code is not JavaScript',
    { text: "import { Button } from 'button' <", 'page.tsx': page("import t from 'text'", 't') },
    ['b'],
  ],
])('a route file may show the client components %s', async (_, sources, expected) => {
  expect((await reachable(sources, ['page.tsx']))['page.tsx'] ?? []).toEqual(expected)
})

test('the joined graph of two variants has the imports of both', () => {
  const english = { ...nothing, imports: new Map([['page', ['en', 'shared']]]) }
  const german = {
    ...nothing,
    imports: new Map([
      ['page', ['de', 'shared']],
      ['de', []],
    ]),
  }
  const { imports } = joinGraphs(joinGraphs(nothing, english), german)
  expect(Object.fromEntries(imports)).toEqual({ page: ['en', 'shared', 'de'], de: [] })
})
