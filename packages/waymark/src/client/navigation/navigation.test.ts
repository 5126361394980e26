import { expect, test } from 'vitest'
import type { NavigationKind } from '../../components/navigationStore.ts'
import {
  createSessionMark,
  isOutdated,
  type NavigationStep,
  nextTabState,
  type TabEvent,
  type TabState,
} from './navigation.ts'
import type { Page } from './page.ts'

const page: Page = {
  key: 'a',
  version: 0,
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
  version: 0,
  sessionVersion: 0,
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
    {
      key: 'b',
      from: '/b',
      rendered: page.route,
      route: { pathname: '/b', search: '?c', params: {} },
    },
  ],
  [{ type: 'rerender', page: { ...page, key: 'c' } }, { key: 'c' }],
])('%o changes the page but not the phase of the navigation', (event, changed) => {
  const loading = nextTabState(idle, { type: 'attempt' })
  expect(nextTabState(loading, event)).toEqual({ ...loading, page: { ...page, ...changed } })
})

const pageOf = (key: string): Page => ({ ...page, key })

function commit(key: string, kind: NavigationKind = 'push', isShell = false): TabEvent {
  const page = isShell ? { ...pageOf(key), isShell } : pageOf(key)
  return { type: 'commit', page, kind, keepPages: 2 }
}

test.each<[string, TabEvent[], string[]]>([
  ['latest first, up to the limit', [commit('b'), commit('c'), commit('d')], ['c', 'b']],
  ['except one that a refresh replaces', [commit('a', 'refresh')], []],
  ['except one that was replaced', [commit('b', 'replace')], []],
  ['except one that is shown again', [commit('b'), commit('a', 'traverse')], ['b']],
  ['except a shell', [commit('b', 'push', true), commit('c')], ['a']],
])('previous pages stay mounted: %s', (_, events, expected) => {
  const { previous } = events.reduce(nextTabState, idle)
  expect(previous.map(({ key }) => key)).toEqual(expected)
})

test('a previous page can be removed', () => {
  const left = [commit('b'), commit('c')].reduce(nextTabState, idle)
  expect(nextTabState(left, { type: 'forget', page }).previous.map(({ key }) => key)).toEqual(['b'])
})

test('a data change makes the current page and previous pages outdated', () => {
  const data = { type: 'invalidate', change: 'data' } as const
  const left = ([commit('b'), data, commit('c')] as TabEvent[]).reduce(nextTabState, idle)
  expect(left.previous.map((each) => [each.key, isOutdated(left, each)])).toEqual([
    ['b', true],
    ['a', true],
  ])
})

test('pages of an earlier session do not stay mounted, not even the current one', () => {
  const session = { type: 'invalidate', change: 'session' } as const
  const left = ([commit('b'), session, commit('c')] as TabEvent[]).reduce(nextTabState, idle)
  expect(left.previous).toEqual([])
})

test('a tab notices a session change in another tab by the mark', () => {
  const entries = new Map<string, string>()
  const storage = {
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, value: string) => void entries.set(key, value),
  } as unknown as Storage
  const one = createSessionMark(() => storage)
  const two = createSessionMark(() => storage)
  one.renew()
  expect([one.hasChanged(), two.hasChanged(), two.hasChanged()]).toEqual([false, true, false])
})

test('without storage, there is no mark', () => {
  const mark = createSessionMark(() => {
    throw new Error('denied')
  })
  mark.renew()
  expect(mark.hasChanged()).toBe(false)
})
