import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import type { LoadedPage } from './fetchPage.ts'
import { loadPage } from './loadPage.ts'
import { createTab, type NavigationContext, type NavigationRequest } from './navigation.ts'
import type { Page } from './page.ts'
import { BrokenPayload } from './verifiedStream.ts'

const { fetchPage, decodePrefetched } = vi.hoisted(() => ({
  fetchPage: vi.fn(),
  decodePrefetched: vi.fn(),
}))
// React's own runtime is not under test, and needs a bundler.
vi.mock('@vitejs/plugin-rsc/react/browser', () => ({}))
vi.mock('./fetchPage.ts', async (original) => ({
  ...(await original<object>()),
  fetchPage,
  decodePrefetched,
}))
beforeEach(() => void fetchPage.mockReset())

function pageOf(key: string, fetchedAtMs = 0): Page {
  return {
    key,
    version: 0,
    fetchedAtMs,
    from: '/',
    instances: {},
    tree: { key: '/', slots: { children: { key: `/${key}` } } },
    route: { pathname: `/${key}`, search: '', params: {} },
    head: null,
    segments: {},
  }
}

function loadedOf(url: string, whole = Promise.resolve()): LoadedPage {
  const { pathname } = new URL(url)
  const payload = { ...pageOf('loaded'), route: { pathname, search: '', params: {} } }
  return {
    payload,
    url: new URL(url),
    status: 200,
    whole,
    build: null,
    onBytes() {},
  } as LoadedPage
}

function create({
  prefetched = null as LoadedPage | null,
  nowMs = 0,
  build = null as string | null,
} = {}) {
  const onBroken = vi.fn()
  const consume = vi.fn(
    () => prefetched && { bytes: new Uint8Array(), fetchedAtMs: 0, build: prefetched.build },
  )
  decodePrefetched.mockResolvedValue(prefetched)
  const tab = createTab(pageOf('shown'))
  const context = {
    tab,
    settings: {
      timeoutMs: 3800,
      hardCapMs: 30_000,
      unattendedMs: 5000,
      pendingAfterMs: 100,
      keepMs: 1000,
      keepPages: 2,
      keepMounted: 5,
    },
    now: () => nowMs,
    build,
    prefetch: { consume },
    loadAssets: async () => {},
  } as Partial<NavigationContext> as NavigationContext
  const leaving = new AbortController()
  const onShell = vi.fn()
  const load = (request: Partial<NavigationRequest>) =>
    loadPage(
      context,
      { kind: 'push', url: new URL('http://a.example/next'), scroll: true, ...request },
      { signal: leaving.signal, onProgress() {}, onShell, onBroken, isRetry: false },
    )
  return { tab, load, onBroken, onShell, consume, leaving }
}

test.each([
  ['traverse', 999, true],
  ['traverse', 1000, false],
  ['push', 0, false],
] as const)('a cached page is restored by %s after %i ms: %s', async (kind, nowMs, isRestored) => {
  fetchPage.mockResolvedValue(loadedOf('http://a.example/next'))
  const { tab, load } = create({ nowMs })
  const left = tab.state.page
  tab.dispatch({ type: 'commit', page: pageOf('next'), kind: 'push', keepPages: 2 })
  expect((await load({ kind, key: left.key })).restored).toBe(isRestored ? left : null)
  expect(fetchPage).toHaveBeenCalledTimes(isRestored ? 0 : 1)
})

test('what was prefetched is not requested again, unless it is to be refreshed', async () => {
  const prefetched = loadedOf('http://a.example/next')
  fetchPage.mockResolvedValue(loadedOf('http://a.example/next'))
  const { load, consume } = create({ prefetched })
  expect((await load({})).payload).toBe(prefetched.payload)
  expect(fetchPage).not.toHaveBeenCalled()
  await load({ kind: 'refresh' })
  expect(consume).toHaveBeenCalledTimes(1)
  expect(fetchPage).toHaveBeenCalledWith(expect.objectContaining({ mounted: [] }))
})

test('what was prefetched from another build is fetched', async () => {
  const prefetched = { ...loadedOf('http://a.example/next'), build: 'next' }
  const fetched = loadedOf('http://a.example/next')
  fetchPage.mockResolvedValue(fetched)
  const { load } = create({ prefetched, build: 'own' })
  expect((await load({})).payload).toBe(fetched.payload)
})

test('the request names the layouts that are mounted', async () => {
  fetchPage.mockResolvedValue(loadedOf('http://a.example/next'))
  await create().load({})
  expect(fetchPage).toHaveBeenCalledWith(expect.objectContaining({ mounted: ['/'], from: '/' }))
})

test('a prefetched shell is reported, and the page is fetched', async () => {
  const shell = loadedOf('http://a.example/next')
  const { payload } = shell
  const prefetched = { ...shell, payload: { ...payload, isShell: true } }
  fetchPage.mockResolvedValue(loadedOf('http://a.example/next'))
  const { load, onShell } = create({ prefetched })
  const sourced = await load({})
  expect(onShell).toHaveBeenCalledWith({
    payload: prefetched.payload,
    assets: expect.any(Promise),
  })
  expect([sourced.payload.isShell, fetchPage.mock.calls.length]).toEqual([undefined, 1])
})

test('a response of another server, or one of a canceled navigation, is not requested again', async () => {
  fetchPage.mockRejectedValueOnce(new Error('a portal'))
  const { load, leaving } = create()
  await expect(load({})).rejects.toThrow('a portal')
  fetchPage.mockRejectedValueOnce(new BrokenPayload('cut'))
  leaving.abort()
  await expect(load({})).rejects.toThrow('cut')
  expect(fetchPage).toHaveBeenCalledTimes(2)
})

test('after a redirect, the requested hash stays', async () => {
  fetchPage.mockResolvedValue(loadedOf('http://a.example/elsewhere'))
  const { url } = await create().load({ url: new URL('http://a.example/next#part') })
  expect(url.href).toBe('http://a.example/elsewhere#part')
})

test.each([false, true])(
  'a page whose rest is cut is fetched again, unless it was left: %s',
  async (isLeft) => {
    let cut = (_: Error) => {}
    const whole = new Promise<void>((_, reject) => {
      cut = reject
    })
    fetchPage.mockResolvedValue(loadedOf('http://a.example/next', whole))
    const { load, onBroken, leaving } = create()
    await load({})
    if (isLeft) leaving.abort()
    cut(new Error('cut'))
    await new Promise((resolve) => setTimeout(resolve))
    expect(onBroken).toHaveBeenCalledTimes(isLeft ? 0 : 1)
  },
)

test('a page whose rest falls silent is fetched again once, and its request is given up', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  let attemptSignal: AbortSignal | undefined
  fetchPage.mockImplementation(async ({ signal }: { signal: AbortSignal }) => {
    attemptSignal = signal
    const whole = new Promise<void>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason))
    })
    return loadedOf('http://a.example/next', whole)
  })
  const { load, onBroken } = create()
  const loading = load({})
  await vi.advanceTimersByTimeAsync(30)
  await loading
  await vi.advanceTimersByTimeAsync(3799)
  expect([attemptSignal?.aborted, onBroken.mock.calls.length]).toEqual([false, 0])
  await vi.advanceTimersByTimeAsync(1)
  expect([attemptSignal?.aborted, onBroken.mock.calls.length]).toEqual([true, 1])
})
