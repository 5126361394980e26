import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { followPage } from './pageLifecycle.ts'

type FakeDocument = EventTarget & { visibilityState: 'visible' | 'hidden' }

let page: FakeDocument
let tab: EventTarget

beforeEach(() => {
  vi.useFakeTimers()
  page = Object.assign(new EventTarget(), { visibilityState: 'visible' as const })
  tab = new EventTarget()
  vi.stubGlobal('document', page)
  vi.stubGlobal('addEventListener', tab.addEventListener.bind(tab))
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function follow(keepHidden = false) {
  const calls: string[] = []
  const call = (name: string) => () => void calls.push(name)
  const stream = {
    pause: call('pause'),
    resume: call('resume'),
    reconnect: call('reconnect'),
  }
  const stop = followPage(stream, { keepHidden })
  calls.length = 0
  return { calls, stop }
}

function show(state: FakeDocument['visibilityState']): void {
  page.visibilityState = state
  page.dispatchEvent(new Event('visibilitychange'))
}

test('a page that is hidden for a while pauses', () => {
  const { calls } = follow()
  show('hidden')
  vi.advanceTimersByTime(19_999)
  expect(calls).toEqual([])
  vi.advanceTimersByTime(1)
  expect(calls).toEqual(['pause'])
  show('visible')
  expect(calls).toEqual(['pause', 'resume'])
})

test('a glance at another tab does not pause it', () => {
  const { calls } = follow()
  show('hidden')
  vi.advanceTimersByTime(10_000)
  show('visible')
  vi.advanceTimersByTime(60_000)
  expect(calls).toEqual(['resume'])
})

test('with keepHidden it stays connected', () => {
  const { calls } = follow(true)
  show('hidden')
  vi.advanceTimersByTime(60_000)
  expect(calls).toEqual([])
})

test('leaving the page pauses the stream at once, and showing it again resumes it', () => {
  const { calls } = follow(true)
  for (const name of ['pagehide', 'pageshow', 'online']) tab.dispatchEvent(new Event(name))
  expect(calls).toEqual(['pause', 'resume', 'reconnect'])
})

test('after it was stopped, it follows nothing', () => {
  const { calls, stop } = follow()
  show('hidden')
  stop()
  show('visible')
  vi.advanceTimersByTime(60_000)
  for (const name of ['pagehide', 'pageshow', 'online']) tab.dispatchEvent(new Event(name))
  expect(calls).toEqual([])
})
