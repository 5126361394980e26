import { expect, test } from 'vitest'
import type { ContractEntry } from '../contract/contractFile.ts'
import { keepAccessibility } from './keepAccessibility.ts'

const contractOf = (...entries: ContractEntry[]) => ({ personas: ['anonymous'], entries })

test('a run without accessibility keeps its earlier lines', () => {
  const page = { kind: 'page', name: '/' } as const
  const screen: ContractEntry = { kind: 'screen', name: 'error /', properties: {} }
  const before = contractOf(
    { ...page, properties: { accessibility: 'button-name (1)', cache: 'public' } },
    { kind: 'page', name: '/gone', properties: { accessibility: 'no violations' } },
    screen,
    {
      kind: 'not proven',
      name: '',
      properties: { 'accessibility of page /x': 'slow', 'page /y': 'no path' },
    },
  )
  const after = contractOf({ ...page, properties: { cache: 'private' } })
  expect(keepAccessibility(before, after).entries).toEqual([
    { ...page, properties: { accessibility: 'button-name (1)', cache: 'private' } },
    screen,
    { kind: 'not proven', name: '', properties: { 'accessibility of page /x': 'slow' } },
  ])
})
