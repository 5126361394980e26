import { expect, test } from 'vitest'
import type { NavigationKind } from '../../components/navigationStore.ts'
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
const idle: TabState = {
  page,
  previous: [],
  invalidated: [],
  phase: 'idle',
  isTimedOut: false,
}

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
    { key: 'b', from: '/b', route: { pathname: '/b', search: '?c', params: {} } },
  ],
  [{ type: 'rerender', page: { ...page, key: 'c' } }, { key: 'c' }],
])('%o changes the page, and no navigation', (event, changed) => {
  const loading = nextTabState(idle, { type: 'attempt' })
  expect(nextTabState(loading, event)).toEqual({ ...loading, page: { ...page, ...changed } })
})

const pageOf = (key: string): Page => ({ ...page, key })

function commit(key: string, kind: NavigationKind = 'push', isShell = false): TabEvent {
  const shown = isShell ? { ...pageOf(key), isShell } : pageOf(key)
  return { type: 'commit', page: shown, kind, keepPages: 2 }
}

test.each<[string, TabEvent[], string[]]>([
  ['the latest first, and no more than a few', [commit('b'), commit('c'), commit('d')], ['c', 'b']],
  ['not one that a refresh replaces', [commit('a', 'refresh')], []],
  ['not one that is replaced', [commit('b', 'replace')], []],
  ['not the one that is shown again', [commit('b'), commit('a', 'traverse')], ['b']],
  ['not a mere shell', [commit('b', 'push', true), commit('c')], ['a']],
])('pages that were left are mounted: %s', (_, events, expected) => {
  const { previous } = events.reduce(nextTabState, idle)
  expect(previous.map(({ key }) => key)).toEqual(expected)
})

test('a previous page may be forgotten, and one that an action has changed is known', () => {
  const left = [commit('b'), { type: 'invalidate' } as const, commit('c')].reduce(
    nextTabState,
    idle,
  )
  expect(left.invalidated).toEqual([page])
  expect(nextTabState(left, { type: 'forget', page }).previous.map(({ key }) => key)).toEqual(['b'])
})
