import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import type { LoadedPage } from './fetchPage.ts'
import type { NavigationRequest } from './navigation.ts'
import type { Page } from './page.ts'
import { createPageSource } from './pageSource.ts'
import { BrokenPayload } from './verifiedStream.ts'

const { fetchPage, decodePrefetched } = vi.hoisted(() => ({
  fetchPage: vi.fn(),
  decodePrefetched: vi.fn(),
}))
vi.mock('./fetchPage.ts', () => ({ fetchPage, decodePrefetched }))
beforeEach(() => void fetchPage.mockReset())

function pageOf(key: string, fetchedAtMs = 0): Page {
  return {
    key,
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
  const payload = pageOf('loaded')
  return {
    payload,
    url: new URL(url),
    status: 200,
    whole,
    byteCount: () => 0,
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
  const source = createPageSource({
    settings: {
      timeoutMs: 3800,
      hardCapMs: 30_000,
      unattendedMs: 5000,
      pendingAfterMs: 100,
      keepMs: 1000,
      keepPages: 2,
    },
    now: () => nowMs,
    build,
    prefetch: { consume },
    assetsOf: async () => {},
    onBroken,
  })
  const leaving = new AbortController()
  const onShell = vi.fn()
  const load = (request: Partial<NavigationRequest>) =>
    source.load(
      { kind: 'push', url: new URL('http://a.example/next'), scroll: true, ...request },
      pageOf('shown'),
      { signal: leaving.signal, onProgress() {}, onShell },
    )
  return { source, load, onBroken, onShell, consume, leaving }
}

test('pages that were left are cached, the latest first, and no more than a few', () => {
  const { source } = create()
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((key) => pageOf(key)) as [Page, Page, Page, Page]
  source.keep(b, a, 'push')
  source.keep(c, b, 'push')
  source.keep(d, c, 'push')
  expect(source.previous()).toEqual([c, b])
  source.forget(c)
  expect(source.previous()).toEqual([b])
})

test.each(['refresh', 'replace'] as const)('a page that a %s replaces is not cached', (kind) => {
  const { source } = create()
  source.keep(pageOf('b'), pageOf('a'), kind)
  expect(source.previous()).toEqual([])
})

test.each([
  ['traverse', 999, true],
  ['traverse', 1000, false],
  ['push', 0, false],
] as const)('a cached page is restored by %s after %i ms: %s', async (kind, nowMs, isRestored) => {
  fetchPage.mockResolvedValue(loadedOf('http://a.example/next'))
  const { source, load } = create({ nowMs })
  const left = pageOf('left')
  source.keep(pageOf('shown'), left, 'push')
  expect((await load({ kind, key: 'left' })).restored).toBe(isRestored ? left : null)
  expect(fetchPage).toHaveBeenCalledTimes(isRestored ? 0 : 1)
})

test('what was prefetched is not asked for again, unless it is to be refreshed', async () => {
  const prefetched = loadedOf('http://a.example/next')
  fetchPage.mockResolvedValue(loadedOf('http://a.example/next'))
  const { load, consume } = create({ prefetched })
  expect((await load({})).payload).toBe(prefetched.payload)
  expect(fetchPage).not.toHaveBeenCalled()
  await load({ kind: 'refresh' })
  expect(consume).toHaveBeenCalledTimes(1)
  expect(fetchPage).toHaveBeenCalledWith(expect.objectContaining({ mounted: [], from: '/next' }))
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

test.each([
  ['cut', new BrokenPayload('cut')],
  ['changed', new SyntaxError('Unexpected token')],
])('data that was %s is asked for once more', async (_, error) => {
  const answers = [error, loadedOf('http://a.example/next'), error, error]
  fetchPage.mockImplementation(async () => {
    const answer = answers.shift()
    if (answer instanceof Error) throw answer
    return answer
  })
  const { load } = create()
  await load({})
  expect(answers.length).toBe(2)
  await expect(load({})).rejects.toBe(error)
  expect(answers.length).toBe(0)
})

test('of a shell that was prefetched is told, and the page is fetched', async () => {
  const shell = loadedOf('http://a.example/next')
  const { payload } = shell
  const prefetched = { ...shell, payload: { ...payload, isShell: true } }
  fetchPage.mockResolvedValue(loadedOf('http://a.example/next'))
  const { load, onShell, source } = create({ prefetched })
  const sourced = await load({})
  expect(onShell).toHaveBeenCalledWith({
    payload: prefetched.payload,
    assets: expect.any(Promise),
  })
  expect([sourced.payload.isShell, fetchPage.mock.calls.length]).toEqual([undefined, 1])
  // There is nothing in it to come back to.
  source.keep(pageOf('next'), { ...pageOf('shell'), isShell: true }, 'push')
  expect(source.previous()).toEqual([])
})

test('an answer of somebody else, or one that nobody waits for, is not asked for again', async () => {
  fetchPage.mockRejectedValueOnce(new Error('a portal'))
  const { load, leaving } = create()
  await expect(load({})).rejects.toThrow('a portal')
  fetchPage.mockRejectedValueOnce(new BrokenPayload('cut'))
  leaving.abort()
  await expect(load({})).rejects.toThrow('cut')
  expect(fetchPage).toHaveBeenCalledTimes(2)
})

test('after a redirect, the hash that was asked for stays', async () => {
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
  let given: AbortSignal | undefined
  fetchPage.mockImplementation(async ({ signal }: { signal: AbortSignal }) => {
    given = signal
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
  expect([given?.aborted, onBroken.mock.calls.length]).toEqual([false, 0])
  await vi.advanceTimersByTimeAsync(1)
  expect([given?.aborted, onBroken.mock.calls.length]).toEqual([true, 1])
})
