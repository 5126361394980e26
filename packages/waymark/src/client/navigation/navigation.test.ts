import { expect, test } from 'vitest'
import { type NavigationStep, nextTabState, type TabEvent, type TabState } from './navigation.ts'
import type { Page } from './page.ts'

const page: Page = {
  key: 'a',
  fetchedAtMs: 0,
  from: '/',
  instances: {},
  tree: { key: '/' },
  route: { pathname: '/', search: '', params: {} },
  head: null,
  segments: {},
}
const idle: TabState = { page, phase: 'idle', isTimedOut: false }

function phaseAfter(...types: NavigationStep[]) {
  const { phase, isTimedOut } = types.reduce((state, type) => nextTabState(state, { type }), idle)
  return [phase, isTimedOut]
}

test.each([
  [[], ['idle', false]],
  [['attempt'], ['loading', false]],
  [
    ['attempt', 'pending'],
    ['slow', false],
  ],
  [
    ['attempt', 'pending', 'timeout'],
    ['late', true],
  ],
  [
    ['attempt', 'timeout'],
    ['late', true],
  ],
  [
    ['attempt', 'timeout', 'pending'],
    ['late', true],
  ],
  [
    ['attempt', 'timeout', 'choose'],
    ['late', false],
  ],
  [
    ['attempt', 'timeout', 'choose', 'timeout'],
    ['late', true],
  ],
  [
    ['attempt', 'timeout', 'fail'],
    ['failed', true],
  ],
  [
    ['attempt', 'fail'],
    ['failed', false],
  ],
  [
    ['attempt', 'fail', 'pending'],
    ['failed', false],
  ],
  [
    ['attempt', 'timeout', 'fail', 'attempt'],
    ['loading', false],
  ],
  [
    ['attempt', 'timeout', 'end'],
    ['idle', false],
  ],
] as const)('after %j a navigation is %j', (types, expected) => {
  expect(phaseAfter(...types)).toEqual(expected)
})

test.each<[TabEvent, Partial<Page>]>([
  [
    { type: 'move', key: 'b' },
    { key: 'b', route: page.route },
  ],
  [
    { type: 'move', key: 'b', url: new URL('http://a.example/b?c') },
    { key: 'b', route: { pathname: '/b', search: '?c', params: {} } },
  ],
  [{ type: 'show', page: { ...page, key: 'c' } }, { key: 'c' }],
])('%o changes the page, and no navigation', (event, changed) => {
  const loading = nextTabState(idle, { type: 'attempt' })
  expect(nextTabState(loading, event)).toEqual({ ...loading, page: { ...page, ...changed } })
})
