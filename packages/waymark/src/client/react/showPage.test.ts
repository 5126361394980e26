import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createTab } from '../navigation/navigation.ts'
import type { Page } from '../navigation/page.ts'
import { createRootStore } from './rootStore.ts'
import { rerenderPage, showPage } from './showPage.ts'

// React's runtime isn't under test, and it needs a bundler.
vi.mock('@vitejs/plugin-rsc/react/browser', () => ({}))

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function pageOf(key: string): Page {
  const route = { pathname: `/${key}`, search: '', params: {} }
  return {
    key,
    version: 0,
    fetchedAtMs: 0,
    from: route.pathname,
    instances: {},
    tree: { key },
    route,
    head: null,
    segments: {},
  }
}

test('a page that React holds back for pending actions is shown after the timeout', () => {
  const store = createRootStore(pageOf('first'))
  const setPages = vi.fn()
  store.attach(setPages)
  rerenderPage(store, pageOf('again'), [], { keepMounted: 0, timeoutMs: 8000 })
  expect(setPages).toHaveBeenCalledTimes(1)
  vi.advanceTimersByTime(7999)
  expect(setPages).toHaveBeenCalledTimes(1)
  vi.advanceTimersByTime(1)
  expect(setPages).toHaveBeenCalledTimes(2)
})

test.each([
  ['asks for a document after a second', false, 'rejected'],
  ['waits for hydration as long as a document would lose typed text', true, 'pending'],
] as const)('a page that arrives before hydration %s', async (_, isTyped, expected) => {
  const { signal } = new AbortController()
  const { state } = createTab(pageOf('first'))
  const options = { state, keepMounted: 0, signal, isDirty: () => isTyped }
  let outcome = 'pending'
  showPage(createRootStore(pageOf('first')), pageOf('next'), options).catch(() => {
    outcome = 'rejected'
  })
  await vi.advanceTimersByTimeAsync(30_000)
  expect(outcome).toBe(expected)
})
