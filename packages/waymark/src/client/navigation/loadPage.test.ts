import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { createFrameWriter } from '../../http/frameWriter.ts'
import type { Payload } from '../../wire/payload.ts'
import { mountedSegmentsHeader, navigationFromHeader } from '../../wire/protocol.ts'
import { pageDataUrl } from '../document/dataRequest.ts'
import { loadPage } from './loadPage.ts'
import { createTab, type NavigationContext, type NavigationRequest } from './navigation.ts'
import type { Page } from './page.ts'

// React's decoder expects this function from a bundler.
vi.hoisted(() => Object.assign(globalThis, { __webpack_require__: { u: () => '' } }))

const fetchData = vi.fn<typeof fetch>()

beforeEach(() => {
  fetchData.mockReset()
  vi.stubGlobal('fetch', fetchData)
  vi.stubGlobal('document', { querySelector: () => null })
})
afterEach(() => void vi.unstubAllGlobals())

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

function payloadOf(pathname: string): Payload {
  const route = { pathname, search: '', params: {} }
  return { tree: { key: '/' }, route, head: null, segments: {} }
}

/** Encodes a payload like React, with everything in the first row. */
function encodePayload(payload: Payload): Uint8Array {
  return new TextEncoder().encode(`0:${JSON.stringify(payload)}\n`)
}

const headers = { 'content-type': 'text/x-component' }

/** Responds with the data of a page. */
function respondWith(payload: Payload): void {
  const body = () => new Uint8Array(createFrameWriter().write([encodePayload(payload)], true))
  fetchData.mockImplementation(async () => new Response(body(), { headers }))
}

/** Responds with a page's first frame. `cut` ends the response before the last frame. */
function respondWithFirstFrame(payload: Payload) {
  let cut = () => {}
  fetchData.mockImplementation(async (_, init) => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(createFrameWriter().write([encodePayload(payload)], false))
        cut = () => controller.close()
        init?.signal?.addEventListener('abort', () => controller.error(init.signal?.reason))
      },
    })
    return new Response(body, { headers })
  })
  return { cut: () => cut() }
}

type Prefetched = { readonly payload: Payload; readonly build: string | null }

function create({
  prefetched = null as Prefetched | null,
  nowMs = 0,
  build = null as string | null,
} = {}) {
  const onBroken = vi.fn()
  const consume = vi.fn(
    () =>
      prefetched && {
        bytes: encodePayload(prefetched.payload),
        fetchedAtMs: 0,
        build: prefetched.build,
      },
  )
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
  respondWith(payloadOf('/next'))
  const { tab, load } = create({ nowMs })
  const left = tab.state.page
  tab.dispatch({ type: 'commit', page: pageOf('next'), kind: 'push', keepPages: 2 })
  expect((await load({ kind, key: left.key })).restored).toBe(isRestored ? left : null)
  expect(fetchData).toHaveBeenCalledTimes(isRestored ? 0 : 1)
})

test('a prefetched page is only requested again for a refresh', async () => {
  const payload = payloadOf('/next')
  respondWith(payload)
  const { load, consume } = create({ prefetched: { payload, build: null } })
  expect((await load({})).payload).toEqual(payload)
  expect(fetchData).not.toHaveBeenCalled()
  await load({ kind: 'refresh' })
  expect(consume).toHaveBeenCalledTimes(1)
  expect(fetchData).toHaveBeenCalledOnce()
  expect(fetchData.mock.calls[0]?.[1]?.headers).not.toHaveProperty(mountedSegmentsHeader)
})

test('a page that was prefetched from another build is fetched', async () => {
  const payload = payloadOf('/next')
  respondWith({ ...payload, rendering: 'fetched' })
  const { load } = create({ prefetched: { payload, build: 'next' }, build: 'current' })
  expect((await load({})).payload.rendering).toBe('fetched')
})

test('the request names the mounted layouts', async () => {
  respondWith(payloadOf('/next'))
  await create().load({})
  expect(fetchData.mock.calls[0]?.[1]?.headers).toMatchObject({
    [mountedSegmentsHeader]: '/',
    [navigationFromHeader]: '/',
  })
})

test('a prefetched shell is reported, and the page is fetched', async () => {
  const payload = { ...payloadOf('/next'), isShell: true }
  respondWith(payloadOf('/next'))
  const { load, onShell } = create({ prefetched: { payload, build: null } })
  const sourced = await load({})
  expect(onShell).toHaveBeenCalledWith({ payload, assets: expect.any(Promise) })
  expect([sourced.payload.isShell, fetchData.mock.calls.length]).toEqual([undefined, 1])
})

test('neither a foreign response nor a canceled navigation causes another request', async () => {
  fetchData.mockResolvedValueOnce(new Response('', { headers: { 'content-type': 'text/html' } }))
  const { load, leaving } = create()
  await expect(load({})).rejects.toThrow('/next returned status 200 with type text/html.')
  fetchData.mockRejectedValueOnce(new Error('cut'))
  leaving.abort()
  await expect(load({})).rejects.toThrow('cut')
  expect(fetchData).toHaveBeenCalledTimes(2)
})

test('after a redirect, the requested hash stays', async () => {
  const target = new URL('http://a.example/target')
  respondWith(payloadOf('/target'))
  const respond = fetchData.getMockImplementation() as typeof fetch
  fetchData.mockImplementation(async (...request) =>
    Object.defineProperties(await respond(...request), {
      redirected: { value: true },
      url: { value: target.origin + pageDataUrl(target) },
    }),
  )
  const { url } = await create().load({ url: new URL('http://a.example/next#part') })
  expect(url.href).toBe('http://a.example/target#part')
})

test.each([false, true])(
  'a page is fetched again if its rest is cut off, unless the user has left it: %s',
  async (isLeft) => {
    const { cut } = respondWithFirstFrame(payloadOf('/next'))
    const { load, onBroken, leaving } = create()
    await load({})
    if (isLeft) leaving.abort()
    else cut()
    await new Promise((resolve) => setTimeout(resolve))
    expect(onBroken).toHaveBeenCalledTimes(isLeft ? 0 : 1)
  },
)

test('a page is fetched again once if its rest stops arriving, and its request is aborted', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  respondWithFirstFrame(payloadOf('/next'))
  const { load, onBroken } = create()
  const loading = load({})
  await vi.advanceTimersByTimeAsync(30)
  await loading
  const isAborted = () => fetchData.mock.calls[0]?.[1]?.signal?.aborted
  await vi.advanceTimersByTimeAsync(3799)
  expect([isAborted(), onBroken.mock.calls.length]).toEqual([false, 0])
  await vi.advanceTimersByTimeAsync(1)
  expect([isAborted(), onBroken.mock.calls.length]).toEqual([true, 1])
})
