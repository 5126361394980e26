import { expect, test } from 'vitest'
import { createClientReferences } from './bundledApp.ts'

const imports = new Map([
  ['page', ['list', 'button']],
  ['list', ['item', 'page']],
  ['item', ['chart']],
  ['chart', ['button']],
])
const nothing = { imports: new Map(), importers: new Map() }
const server = { imports, importers: new Map() }
const references = { button: { referenceKey: 'b' }, chart: { referenceKey: 'c' } }

test('a module’s client references are found through what it imports, but not behind them', () => {
  const { referencesOf } = createClientReferences(
    { server, client: nothing },
    references,
    () => null,
  )
  expect([...referencesOf('page')].sort()).toEqual(['b', 'c'])
  expect([...referencesOf('item')]).toEqual(['c'])
  expect([...referencesOf('unknown')]).toEqual([])
})
