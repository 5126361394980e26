import { afterEach, expect, test, vi } from 'vitest'
import { createBrowserEvents } from './browserEvents.ts'
import type { DevEvent } from './events.ts'

afterEach(() => vi.unstubAllGlobals())

const event = (id: string, at: number) =>
  ({ type: 'error', digest: 'wm-1', id, at, load: 'load', side: 'browser' }) as const

test('while there is a subscriber, events of the page and the server are merged without duplicates', () => {
  const sources: { onmessage?: (message: { data: string }) => void; close(): void }[] = []
  const close = vi.fn()
  vi.stubGlobal(
    'EventSource',
    class {
      close = close
      constructor() {
        sources.push(this)
      }
    },
  )
  const pageEvent = event('own', 2)
  const view = Object.assign(new EventTarget(), { waymarkEvents: [pageEvent] })
  const { events, subscribe } = createBrowserEvents(view as unknown as Window)
  const heard: DevEvent[] = []
  const end = subscribe((each) => heard.push(each))
  for (const each of [event('server-1', 1), pageEvent]) {
    sources[0]?.onmessage?.({ data: JSON.stringify(each) })
  }
  view.dispatchEvent(new CustomEvent('waymark:event', { detail: event('next', 3) }))
  expect(events().map(({ id }) => id)).toEqual(['server-1', 'own', 'next'])
  expect(heard.map(({ id }) => id)).toEqual(['own', 'server-1', 'next'])
  expect(sources).toHaveLength(1)
  end()
  expect(close).toHaveBeenCalledOnce()
  view.dispatchEvent(new CustomEvent('waymark:event', { detail: event('after', 4) }))
  expect(events()).toHaveLength(3)
})
