import { getEventListeners } from 'node:events'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createNavigationStore } from '../../components/navigationStore.ts'
import { createRouterEvents } from '../../components/routerContext.ts'
import { defaultNavigation } from '../../shared/settings.ts'
import { DocumentNeeded, OtherBuild } from './fetchPage.ts'
import type { loadPage, SourcedPage } from './loadPage.ts'
import { createTab, type NavigationContext, type NavigationRequest } from './navigation.ts'
import type { NavigationChoices } from './navigationNotice.ts'
import type { Page } from './page.ts'
import { createNavigationTask } from './task.ts'

// React's runtime isn't under test, and it needs a bundler.
vi.mock('@vitejs/plugin-rsc/react/browser', () => ({}))

/** A fake `location` that records which documents were loaded. */
const location = { href: 'http://a.example/', assign: vi.fn(), replace: vi.fn(), reload: vi.fn() }

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('window', { location, navigator: {}, addEventListener() {} })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.clearAllMocks()
})

/** Replaces `loadPage`, so that the test doesn't use the network. */
type Load = (attempt: Parameters<typeof loadPage>[2]) => Promise<unknown>

const url = new URL('http://a.example/next')
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

function start(load: Load, request: Partial<NavigationRequest> = {}) {
  const events = createRouterEvents()
  const seen: string[] = []
  for (const name of ['start', 'slow', 'commit', 'timeout', 'abort', 'error'] as const) {
    events.on(name, () => seen.push(name))
  }
  const store = createNavigationStore()
  const notice = {
    offerTimeout: vi.fn(),
    offerRetry: vi.fn(async () => {}),
    offerDocument: vi.fn(),
    clear: vi.fn(),
  }
  const onEnd = vi.fn()
  const saveDraft = vi.fn()
  const run = createNavigationTask(
    { kind: 'push', url, scroll: true, ...request },
    {
      settings: defaultNavigation,
      events,
      store,
      notice,
      tab: createTab(page),
      now: Date.now,
      hydrated: Promise.resolve(),
      saveDraft,
    } as Partial<NavigationContext> as NavigationContext,
    {
      loadPage: async (_context, _request, attempt) => (await load(attempt)) as SourcedPage,
      commitShell: async () => {},
      commitPage: async () => true,
      onEnd,
    },
  )
  run.attempt()
  return { run, seen, store, notice, onEnd, saveDraft }
}

const never: Load = () => new Promise(() => {})

test('a page that arrives is committed, and no timer stays', async () => {
  const { run, seen, store, notice, onEnd } = start(async () => {})
  expect(await run.ended).toBe('committed')
  await vi.advanceTimersByTimeAsync(60_000)
  expect(seen).toEqual(['start', 'commit'])
  expect([store.get().state, onEnd.mock.calls]).toEqual(['idle', [['committed']]])
  expect(notice.clear).toHaveBeenCalledTimes(1)
  expect(notice.offerTimeout).not.toHaveBeenCalled()
})

test('a pending navigation is slow, then late', async () => {
  const { seen, store, notice } = start(never)
  await vi.advanceTimersByTimeAsync(100)
  expect(store.get()).toMatchObject({ state: 'slow', target: url })
  await vi.advanceTimersByTimeAsync(3699)
  expect(store.get().state).toBe('slow')
  await vi.advanceTimersByTimeAsync(1)
  expect([store.get().state, seen]).toEqual(['late', ['start', 'slow', 'timeout']])
  expect(notice.offerTimeout).toHaveBeenCalledTimes(1)
})

test('a trickling page gets a notice in time, and is given up only after silence', async () => {
  let progress = (_isHeartbeat: boolean, _byteCount: number) => {}
  const { seen, notice } = start(({ onProgress }) => {
    progress = onProgress as typeof progress
    return new Promise(() => {})
  })
  const giveUps = () => notice.offerTimeout.mock.calls.map(([{ giveUp }]) => giveUp !== null)
  for (let passedMs = 0; passedMs < 12_000; passedMs += 100) {
    await vi.advanceTimersByTimeAsync(100)
    progress(false, 3)
    expect(giveUps()).toEqual(passedMs + 100 < 3800 ? [] : [false])
  }
  await vi.advanceTimersByTimeAsync(3800)
  expect(giveUps()).toEqual([false, true])
  expect(seen).toEqual(['start', 'slow', 'timeout'])
  progress(false, 3)
  notice.offerTimeout.mock.calls.at(-1)?.[0].giveUp()
  expect(notice.offerRetry).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(3800)
  notice.offerTimeout.mock.calls.at(-1)?.[0].giveUp()
  expect(notice.offerRetry).toHaveBeenCalledTimes(1)
})

test('a failed navigation offers to retry within the same navigation', async () => {
  const load = vi.fn<Load>().mockRejectedValueOnce(new Error('reset')).mockResolvedValue(null)
  const { run, store, notice, seen } = start(load)
  await vi.advanceTimersByTimeAsync(0)
  expect([store.get().state, notice.offerRetry.mock.calls.length]).toEqual(['failed', 1])
  store.get().retry()
  expect(await run.ended).toBe('committed')
  expect(seen).toEqual(['start', 'error', 'commit'])
})

test('a URL without page data is loaded as a document', async () => {
  const { run, seen } = start(() => Promise.reject(new DocumentNeeded()))
  expect(await run.ended).toBe('document')
  expect(location.assign.mock.calls).toEqual([[url]])
  expect(seen).toEqual(['start'])
})

test('for another build, the notice decides about loading the document', async () => {
  const { run, notice } = start(() => Promise.reject(new OtherBuild('next')))
  await vi.advanceTimersByTimeAsync(0)
  const [choices] = notice.offerDocument.mock.calls[0] as unknown as [NavigationChoices]
  choices.leave()
  expect(await run.ended).toBe('document')
  expect(location.assign.mock.calls).toEqual([[url]])
})

test('a refresh loads the document of a URL without page data only once', async () => {
  const stored = new Map<string, string>()
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  })
  const refresh = () => start(() => Promise.reject(new DocumentNeeded()), { kind: 'refresh' }).run
  expect(await refresh().ended).toBe('document')
  expect(await refresh().ended).toBe('failed')
  expect(location.assign).toHaveBeenCalledTimes(1)
})

test.each([
  ['refresh', 1],
  ['push', 0],
] as const)('before a %s loads a document, typed text is saved %i times', async (kind, times) => {
  vi.stubGlobal('sessionStorage', { getItem: () => null, setItem() {} })
  const { run, saveDraft } = start(() => Promise.reject(new DocumentNeeded()), { kind })
  expect(await run.ended).toBe('document')
  expect(saveDraft).toHaveBeenCalledTimes(times)
})

test('a failed navigation stays failed until it is retried', async () => {
  let outcome: Promise<void> = Promise.reject(new Error('offline'))
  const { run, seen, store } = start(() => outcome)
  await vi.advanceTimersByTimeAsync(1000)
  expect([store.get().state, seen]).toEqual(['failed', ['start', 'error']])
  outcome = new Promise(() => {})
  run.attempt()
  await vi.advanceTimersByTimeAsync(100)
  expect([store.get().state, seen]).toEqual(['slow', ['start', 'error', 'slow']])
})

test('removes its listener from the signal', async () => {
  const { signal } = new AbortController()
  const { run } = start(async () => {}, { signal })
  await run.ended
  expect(getEventListeners(signal, 'abort')).toEqual([])
})

test('aborting its signal aborts the load and ends the navigation once', async () => {
  const giving = new AbortController()
  let taskSignal: AbortSignal | undefined
  const { run, seen, onEnd } = start(
    ({ signal }) => {
      taskSignal = signal
      return new Promise(() => {})
    },
    { signal: giving.signal },
  )
  giving.abort()
  run.end('superseded')
  expect(await run.ended).toBe('canceled')
  expect([taskSignal?.aborted, onEnd.mock.calls.length]).toEqual([true, 1])
  expect(seen).toEqual(['start', 'abort'])
})

describe('after its deadline, a navigation', () => {
  const startOverdue = async () => {
    const started = start(never)
    await vi.advanceTimersByTimeAsync(3800)
    const [choices] = started.notice.offerTimeout.mock.calls[0] as [NavigationChoices]
    return { ...started, choices }
  }

  test('has timed out when the user cancels it', async () => {
    const { run, choices, onEnd, seen } = await startOverdue()
    choices.cancel()
    expect(await run.ended).toBe('timed-out')
    expect(onEnd).toHaveBeenCalledWith('canceled')
    expect(seen).toEqual(['start', 'slow', 'timeout', 'abort'])
  })

  test('has timed out when the user makes no choice, and the document is loaded', async () => {
    const { run, choices, notice } = await startOverdue()
    choices.giveUp()
    const [, failed] = notice.offerRetry.mock.calls[0] as unknown as [URL, NavigationChoices]
    failed.leave()
    expect(await run.ended).toBe('timed-out')
    expect(location.assign.mock.calls).toEqual([[url]])
  })

  test('ends with the document when the user chooses it', async () => {
    const { run, choices } = await startOverdue()
    choices.leave()
    expect(await run.ended).toBe('document')
  })

  test('counts as canceled if it is canceled after the user chose to wait', async () => {
    const { run, choices } = await startOverdue()
    choices.wait()
    run.end('canceled')
    expect(await run.ended).toBe('canceled')
  })

  test('can be superseded by another one', async () => {
    const { run } = await startOverdue()
    run.end('superseded')
    expect(await run.ended).toBe('superseded')
  })
})

test.each([
  ['the same page', { kind: 'push', url }, true],
  ['another page', { kind: 'push', url: new URL('/other', url) }, false],
  ['the same page by another kind', { kind: 'replace', url }, false],
  ['a refresh', { kind: 'refresh', url }, false],
] as const)('joins a request for %s: %s', (_, request, isJoined) => {
  expect(start(never).run.join({ scroll: true, ...request })).toBe(isJoined)
})

test('another request for the same page retries a failed navigation', async () => {
  const load = vi.fn<Load>().mockRejectedValueOnce(new Error('reset')).mockResolvedValue(null)
  const { run } = start(load)
  await vi.advanceTimersByTimeAsync(0)
  expect(run.join({ kind: 'push', url, scroll: true })).toBe(true)
  expect(await run.ended).toBe('committed')
  expect(load).toHaveBeenCalledTimes(2)
})

test('an attempt that was replaced by a retry shows nothing', async () => {
  let arriveFirst = (_?: unknown) => {}
  const load = vi
    .fn<Load>()
    .mockImplementationOnce(
      () =>
        new Promise((resolve) => {
          arriveFirst = resolve
        }),
    )
    .mockImplementation(never)
  const { run, onEnd } = start(load)
  run.attempt()
  arriveFirst()
  await vi.advanceTimersByTimeAsync(0)
  expect(onEnd).not.toHaveBeenCalled()
})
