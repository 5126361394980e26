import { expect, test } from 'vitest'
import type { RouteFacts } from '../build/buildFacts.ts'
import type { ContractEntry } from '../contract/contractFile.ts'
import { findBudgetProblems } from './budgets.ts'

const pageOf = (pattern: string): RouteFacts => ({
  pattern,
  kind: 'page',
  file: `app${pattern}/page.tsx`,
  layouts: [{ pattern: '/', file: 'app/layout.tsx' }],
  screens: [],
  exports: [],
  pathnames: [],
})
const entryOf = (name: string, script: string): ContractEntry => ({
  kind: 'page',
  name,
  properties: { script },
})
const facts = {
  routes: [pageOf('/board'), pageOf('/help')],
  imports: {
    'app/layout.tsx': ['ui/menu.tsx'],
    'app/board/page.tsx': ['app/board/stats.ts', 'ui/button.tsx'],
    'app/board/stats.ts': ['ui/chart.tsx'],
    'app/help/page.tsx': ['ui/button.tsx'],
  },
  clientModules: { a: 'ui/menu.tsx', b: 'ui/chart.tsx', c: 'ui/button.tsx', d: 'ui/unused.tsx' },
}
const entries = [
  entryOf('/board', '92.1 kB, 130.0 kB when idle'),
  entryOf('/help', '80.0 kB, 110.0 kB when idle'),
]
const find = (budget: Record<string, number>) =>
  findBudgetProblems({ personas: [], entries }, { budget }, facts)

test('a page above its budget is reported with the modules that only such pages load', () => {
  expect(find({ '*': 80_000 })).toEqual([
    {
      sentence:
        '/board needs 92.1 kB of script before it is interactive, 12.1 kB more than its budget. No page within its budget loads ui/chart.tsx.',
      place: { file: 'app/board/page.tsx', line: null },
    },
  ])
})

test('the budget of a pattern wins over the budget for all pages', () => {
  expect(find({ '*': 80_000, '/board': 100_000 })).toEqual([])
  expect(find({ '/help': 70_000 })).toMatchObject([{ sentence: expect.stringMatching(/^\/help /) }])
  expect(find({})).toEqual([])
})

test('a budget for a page that does not exist is reported', () => {
  expect(find({ '/bord': 80_000 })).toEqual([
    {
      sentence: 'contract.config.ts has a budget for /bord, but the app has no such page.',
      place: null,
    },
  ])
})
