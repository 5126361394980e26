import { expect, test } from 'vitest'
import type { Contract, ContractEntry } from '../contract/contractFile.ts'
import { compareContracts, failsCheck } from './compareContracts.ts'

const personas = ['anonymous', 'admin']

function contractOf(...entries: readonly ContractEntry[]): Contract {
  return { personas, entries }
}

function page(properties: ContractEntry['properties'], name = '/admin'): ContractEntry {
  return { kind: 'page', name, properties }
}

/** Returns the effects of a change of one page's properties. */
function effectsOf(before: ContractEntry['properties'], after: ContractEntry['properties']) {
  const differences = compareContracts(contractOf(page(before)), contractOf(page(after)))
  return differences.map(({ effect }) => effect)
}

const admin = { 'access anonymous': '401', 'access admin': '200' }

test('equal contracts have no differences', () => {
  expect(effectsOf(admin, admin)).toEqual([])
})

test('a line for everyone means the same as a line for each persona', () => {
  const each = { 'access anonymous': '200', 'access admin': '200' }
  expect(effectsOf(each, { 'access everyone': '200' })).toEqual([])
})

test.each([
  ['a refusal becomes content', '401', '200', 'widens'],
  ['a redirect becomes content', '307 to /enter', '200', 'widens'],
  ['a refusal becomes a failure, which a removed guard can cause', '401', '500', 'changes'],
  ['a redirect leads elsewhere', '307 to /enter', '307 to https://evil.example/', 'changes'],
  ['a refusal has another status', '401', '404', 'neutral'],
  ['content becomes a refusal', '200', '403', 'narrows'],
  ['content becomes a redirect', '200', '307 to /enter', 'narrows'],
  ['content becomes a redirect to another site', '200', '307 to https://evil.example/', 'changes'],
  ['draft mode is turned on', '307 to /blog', '307 to /blog, turns on draft mode', 'widens'],
  ['a call that was admitted now runs', 'may call', 'runs', 'widens'],
  ['an action without arguments is only admitted', 'runs', 'may call', 'neutral'],
  ['content turns on draft mode', '200', '200, turns on draft mode', 'widens'],
  ['it is no longer tried', '401', 'not tried', 'changes'],
  ['it is tried for the first time, and open', 'not tried', '200', 'new'],
  ['it is tried for the first time, and refused', 'not tried', '403', 'neutral'],
])('%s', (_, before, after, effect) => {
  const effects = effectsOf({ 'access anonymous': before }, { 'access anonymous': after })
  expect(effects).toEqual([effect])
})

test('page data gets the same as the document by default', () => {
  const open = { ...admin, 'access anonymous (data)': '200', 'access admin (data)': '200' }
  const differences = compareContracts(contractOf(page(admin)), contractOf(page(open)))
  expect(differences).toEqual([
    {
      entry: { kind: 'page', name: '/admin' },
      effect: 'widens',
      change: {
        kind: 'access',
        how: 'data',
        personas: ['anonymous'],
        before: '401',
        after: '200',
      },
    },
  ])
})

test('a sample that is no longer tried needs a decision', () => {
  const labelled = { 'access everyone (own order)': '200', 'access everyone (other order)': '403' }
  const { 'access everyone (own order)': own } = labelled
  expect(effectsOf(labelled, { 'access everyone (own order)': own })).toEqual(['changes'])
})

test('a new entry needs a decision, a removed one does not', () => {
  const [before, after] = [contractOf(page(admin, '/a')), contractOf(page(admin, '/b'))]
  const differences = compareContracts(before, after)
  expect(differences.map(({ effect, entry }) => [effect, entry.name])).toEqual([
    ['narrows', '/a'],
    ['new', '/b'],
  ])
  expect(differences.map(failsCheck)).toEqual([false, true])
})

test('a persona that is no longer tried needs a decision', () => {
  const before = { personas: [...personas, 'editor'], entries: [] }
  expect(compareContracts(before, contractOf()).map(({ effect }) => effect)).toEqual(['changes'])
})

test.each([
  ['private, no-store', 'public, s-maxage=60', admin, 'widens'],
  ['private, no-store', 'public, max-age=0', { 'access everyone': '200' }, 'neutral'],
  ['public, max-age=5', 'private, no-store', admin, 'narrows'],
  ['public, max-age=5', 'public, max-age=60', admin, 'neutral'],
])('the cache rule %s becomes %s', (before, after, access, effect) => {
  expect(effectsOf({ ...access, cache: before }, { ...access, cache: after })).toEqual([effect])
})

test.each([
  ['fields', 'name, email', 'name, email, passwordHash', 'new'],
  ['fields', 'name, email', 'name', 'narrows'],
  ['accessibility', 'no violations', 'button-name (1)', 'new'],
  ['accessibility', 'button-name (1)', 'no violations', 'neutral'],
  ['accessibility', 'button-name (1)', 'button-name (2)', 'new'],
  ['accessibility', 'button-name (2), label (1)', 'button-name (1)', 'neutral'],
  ['accessibility', 'button-name (2)', null, 'neutral'],
  ['forged call', '403', 'may call', 'widens'],
  ['from another page', '409', 'may call', 'widens'],
  ['POST', 'not tried', null, 'neutral'],
  ['POST', null, 'not tried', 'changes'],
  ['layouts', '/, /admin', '/', 'neutral'],
])('%s: %s becomes %s', (key, before, after, effect) => {
  const propertiesOf = (value: string | null) => (value === null ? {} : { [key]: value })
  expect(effectsOf(propertiesOf(before), propertiesOf(after))).toEqual([effect])
})

test('actions of the same name are compared with the one that is most alike', () => {
  const action = (properties: ContractEntry['properties']): ContractEntry => {
    return { kind: 'action', name: 'save', properties }
  }
  const [a, b] = [
    action({ 'access everyone (from /a)': 'may call', 'forged call': '403' }),
    action({ 'access everyone (from /b)': 'may call', 'forged call': '403' }),
  ]
  expect(compareContracts(contractOf(a, b), contractOf(b, a))).toEqual([])
})
