import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createNavigationStore } from '../../components/navigationStore.ts'
import { createRouterEvents } from '../../components/routerContext.ts'
import { defaultNavigation } from '../../shared/settings.ts'
import { NoPageData } from './fetchPage.ts'
import type { loadPage, SourcedPage } from './loadPage.ts'
import { createTab, type NavigationContext } from './navigation.ts'
import type { Page } from './page.ts'
import { createNavigationTask } from './task.ts'

// React's runtime isn't under test, and it needs a bundler.
vi.mock('@vitejs/plugin-rsc/react/browser', () => ({}))
const commitPage = vi.fn(async () => true)

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Replaces `loadPage`, so that the test doesn't use the network. */
type Load = (attempt: Parameters<typeof loadPage>[2]) => Promise<unknown>

const lost = new NoPageData('The connection was lost.', {})
const never: Load = () => new Promise(() => {})

function start(load: Load, repairs?: 'cut' | 'silent') {
  const events = createRouterEvents()
  const seen: string[] = []
  for (const name of ['start', 'slow', 'commit', 'timeout', 'error'] as const) {
    events.on(name, () => seen.push(name))
  }
  const store = createNavigationStore()
  const notice = { offerTimeout: vi.fn(), offerRetry: vi.fn(async () => {}), clear: vi.fn() }
  const context: Partial<NavigationContext> = {
    settings: defaultNavigation,
    events,
    store,
    now: Date.now,
    hydrated: Promise.resolve(),
    notice: notice as Partial<NavigationContext['notice']> as NavigationContext['notice'],
    tab: createTab({ key: 'a' } as Page),
  }
  const url = new URL('http://a.example/next')
  const kind = repairs ? 'refresh' : 'push'
  const request = { kind, url, scroll: true, repairs } as const
  const run = createNavigationTask(request, context as NavigationContext, {
    loadPage: async (_context, _request, attempt) => (await load(attempt)) as SourcedPage,
    commitShell: async () => {},
    commitPage,
    onEnd() {},
  })
  run.attempt()
  return { run, seen, store, notice }
}

test('a load that fails is repeated without a notice', async () => {
  const load = vi.fn<Load>().mockRejectedValueOnce(lost).mockRejectedValueOnce(lost)
  const { run, store, notice, seen } = start(load.mockResolvedValue(null))
  await vi.advanceTimersByTimeAsync(50)
  expect(store.get().state).toBe('loading')
  await vi.advanceTimersByTimeAsync(600)
  expect(await run.ended).toBe('committed')
  expect(load.mock.calls.map(([{ isRetry }]) => isRetry)).toEqual([false, true, true])
  expect(notice.offerRetry).not.toHaveBeenCalled()
  expect(seen).toEqual(['start', 'slow', 'commit'])
})

test('after a second of failures, a notice offers to retry', async () => {
  const load = vi.fn<Load>().mockRejectedValue(lost)
  const { store, notice } = start(load)
  await vi.advanceTimersByTimeAsync(900)
  expect(notice.offerRetry).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(600)
  expect([load.mock.calls.length, store.get().state]).toEqual([4, 'failed'])
  expect(notice.offerRetry).toHaveBeenCalledTimes(1)
})

test('a page that loses data before it is visible is loaded again', async () => {
  commitPage.mockImplementationOnce(() => new Promise(() => {}))
  const load = vi.fn<Load>(async ({ onBroken }) => {
    setTimeout(onBroken, 40, 'cut')
  })
  const { run } = start(load)
  await vi.advanceTimersByTimeAsync(140)
  expect(await run.ended).toBe('committed')
  expect(load).toHaveBeenCalledTimes(2)
})

test('a failed load does not extend the deadline', async () => {
  const load = vi.fn<Load>().mockRejectedValueOnce(lost).mockImplementation(never)
  const { notice } = start(load)
  await vi.advanceTimersByTimeAsync(3799)
  expect(notice.offerTimeout).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(notice.offerTimeout).toHaveBeenCalledTimes(1)
})

test.each([
  ['no more bytes than the previous one does not extend', 100, 3800],
  ['more bytes than the previous one restarts', 200, 6800],
])('a load that receives %s the deadline', async (_, byteCount, dueMs) => {
  const load = vi
    .fn<Load>(({ onProgress }) => {
      setTimeout(onProgress, 2450, false, byteCount)
      return never({} as never)
    })
    .mockImplementationOnce(async ({ onProgress }) => {
      onProgress(false, 100)
      await new Promise((resolve) => setTimeout(resolve, 450))
      throw lost
    })
  const { notice } = start(load)
  // Counts only the notices shown because no data arrives, not those shown because the click was long ago.
  const silences = () => notice.offerTimeout.mock.calls.filter(([{ giveUp }]) => giveUp !== null)
  await vi.advanceTimersByTimeAsync(dueMs - 100)
  expect(silences()).toEqual([])
  await vi.advanceTimersByTimeAsync(200)
  expect(silences()).toHaveLength(1)
})

test('while a silent page is fetched again, the notice stays until it is complete', async () => {
  let arrive = () => {}
  const whole = new Promise<void>((resolve) => {
    arrive = resolve
  })
  const { notice, run } = start(async () => ({ whole }), 'silent')
  await vi.advanceTimersByTimeAsync(100)
  expect(notice.offerTimeout).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(1000)
  expect(notice.clear).not.toHaveBeenCalled()
  arrive()
  expect(await run.ended).toBe('committed')
  expect(notice.clear).toHaveBeenCalled()
})

test.each(['silent', 'cut'] as const)(
  'a notice offers to retry when a page stalls again after it was %s',
  async (how) => {
    const load: Load = async ({ onBroken }) => {
      setTimeout(onBroken, 3800, 'silent')
      return { whole: new Promise(() => {}) }
    }
    const { notice } = start(load, how)
    await vi.advanceTimersByTimeAsync(3800)
    expect(notice.offerRetry).toHaveBeenCalledTimes(1)
  },
)

test('a page that was cut off is fetched again without a notice', async () => {
  const { notice, run } = start(async () => ({ whole: Promise.resolve() }), 'cut')
  await vi.advanceTimersByTimeAsync(0)
  expect(await run.ended).toBe('committed')
  expect(notice.offerTimeout).not.toHaveBeenCalled()
})
