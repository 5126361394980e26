import { expect, test, vi } from 'vitest'
import { createEventCounter } from './eventCounter.ts'
import { closedDocumentsKey } from './storeItem.ts'

/** Closes a document before the counting code has loaded. */
function setUp() {
  const items = new Map<string, string>()
  const view = Object.assign(new EventTarget(), {
    performance: { now: () => 100, timeOrigin: 1_000, getEntriesByName: () => [] },
    document: { readyState: 'loading' },
    location: { pathname: '/a' },
    requestIdleCallback: (act: () => void) => act(),
    localStorage: {
      getItem: (key: string) => items.get(key) ?? null,
      setItem: (key: string, value: string) => void items.set(key, value),
    },
  })
  const record = vi.fn()
  const startRecorder = vi.fn(() => ({ record }))
  const onEvent = createEventCounter(view as unknown as Window, async () => ({ startRecorder }))
  const close = () => {
    view.dispatchEvent(new Event('pagehide'))
    return JSON.parse(items.get(closedDocumentsKey) ?? '[]')
  }
  return { onEvent, close, view, record, startRecorder }
}

test('the events of a document that is closed early are stored without queries', () => {
  const { onEvent, close } = setUp()
  const started = { type: 'navigation', state: 'start', kind: 'push', outcome: null } as const
  onEvent({ ...started, url: 'https://x/b?name=Ada#top' })
  onEvent({ type: 'notice' })
  expect(close()).toEqual([
    {
      pathname: '/a',
      paintedAtMs: null,
      endedAtMs: 100,
      timeOrigin: 1_000,
      events: [
        [{ ...started, url: 'https://x/b' }, 100],
        [{ type: 'notice' }, 100],
      ],
    },
  ])
})

test('a document that comes back from the cache is not counted twice', async () => {
  const { onEvent, close, view, record, startRecorder } = setUp()
  onEvent({ type: 'notice' })
  close()
  view.dispatchEvent(new Event('load'))
  await vi.waitFor(() => expect(startRecorder).toHaveBeenCalledWith(view, true))
  onEvent({ type: 'deadline', url: 'https://x/b' })
  expect(record.mock.calls).toEqual([[{ type: 'deadline', url: 'https://x/b' }, 100]])
})
