import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { LoadedPage } from '../navigation/fetchPage.ts'
import type { Page } from '../navigation/page.ts'
import { type ActionRouterOptions, createActionRouter } from './actionRouter.ts'

// React's runtime isn't under test, and it needs a bundler.
vi.mock('@vitejs/plugin-rsc/react/browser', () => ({}))

const location = { href: 'https://site.test/list', origin: 'https://site.test' }

beforeEach(() => void vi.stubGlobal('window', { location }))
afterEach(() => void vi.unstubAllGlobals())

const currentPage = {
  key: 'entry',
  route: { pathname: '/list', search: '', params: {} },
  from: '/list',
  tree: { key: 'root' },
  segments: {},
  instances: {},
} as unknown as Page

function setup() {
  const navigator = {
    current: () => currentPage,
    leaving: () => null,
    refresh: vi.fn(),
    navigate: vi.fn(async () => 'committed'),
    rerender: () => false,
    invalidate: vi.fn(),
    stamp: () => ({ version: 0, fetchedAtMs: 0 }),
    repair() {},
  }
  const loadAssets = vi.fn(async () => {})
  const router = createActionRouter({
    navigator,
    prefetch: { invalidate() {} },
    build: 'own',
    timeoutMs: 1_000,
    loadAssets,
  } as unknown as ActionRouterOptions)
  return { router, navigator, loadAssets }
}

const loadedOf = (build: string | null) =>
  ({ payload: currentPage, build }) as unknown as LoadedPage

test('the page of another build is not shown, but the current page is refreshed', async () => {
  const { router, navigator, loadAssets } = setup()
  await router.showPage(loadedOf('other'), currentPage)
  await vi.waitFor(() => expect(navigator.refresh).toHaveBeenCalledOnce())
  expect(loadAssets).not.toHaveBeenCalled()
})

test.each(['own', null])('a page of the build %s is shown', async (build) => {
  const { router, loadAssets } = setup()
  await router.showPage(loadedOf(build), currentPage)
  expect(loadAssets).toHaveBeenCalledOnce()
})

test('a redirect starts a navigation that blockers cannot stop', async () => {
  const { router, navigator } = setup()
  await router.follow('/to', 'push', currentPage)
  const url = new URL('https://site.test/to')
  expect(navigator.navigate).toHaveBeenCalledWith({
    kind: 'push',
    url,
    scroll: true,
    fromAction: { page: null },
  })
})

test('a redirect to a URL that runs a script is not followed', async () => {
  const { router, navigator } = setup()
  await router.follow('javascript:alert(1)', 'push', currentPage)
  expect(navigator.navigate).not.toHaveBeenCalled()
})
