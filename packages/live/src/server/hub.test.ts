import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createHub } from './hub.ts'
import { everything } from './liveTags.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function createWaiting() {
  const notified: (readonly number[])[] = []
  let beats = 0
  return {
    notified,
    beats: () => beats,
    changed: (places: readonly number[]) => void notified.push(places),
    heartbeat: () => void beats++,
  }
}

test('a connection is told once which of its pages has changed', async () => {
  const hub = createHub(15_000)
  const one = createWaiting()
  const other = createWaiting()
  hub.add(one, [
    { place: 0, tags: ['a', 'b'] },
    { place: 1, tags: ['c'] },
  ])
  hub.add(other, [{ place: 0, tags: ['c'] }])
  hub.invalidate(['a', 'b'])
  await vi.advanceTimersByTimeAsync(100)
  expect(one.notified).toEqual([[0]])
  expect(other.notified).toEqual([])
  hub.invalidate(['c'])
  await vi.advanceTimersByTimeAsync(100)
  expect(one.notified).toEqual([[0], [1]])
  expect(other.notified).toEqual([[0]])
})

test('a closed connection is told nothing and leaves no data behind', async () => {
  const hub = createHub(15_000)
  const waiting = createWaiting()
  hub.add(waiting, [{ place: 0, tags: ['a'] }])
  hub.invalidate(['a'])
  hub.remove(waiting)
  hub.remove(waiting)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(waiting.notified).toEqual([])
  expect(waiting.beats()).toBe(0)
  expect(hub.size()).toBe(0)
})

test('unknown tags notify all connections, and any tag notifies those that follow everything', async () => {
  const hub = createHub(15_000)
  const one = createWaiting()
  const all = createWaiting()
  hub.add(one, [{ place: 0, tags: ['a'] }])
  hub.add(all, [{ place: 0, tags: [everything] }])
  hub.invalidate(['z'])
  await vi.advanceTimersByTimeAsync(100)
  expect([one.notified, all.notified]).toEqual([[], [[0]]])
  hub.invalidate('all')
  await vi.advanceTimersByTimeAsync(100)
  expect([one.notified, all.notified]).toEqual([[[0]], [[0], [0]]])
})

test('when connections follow too many tags in total, each gets a share or follows everything', async () => {
  const hub = createHub(15_000)
  const tags = Array.from({ length: 500 }, (_, at) => `tag${at}`)
  const pages = [0, 1, 2, 3].map((place) => ({ place, tags }))
  const crowd = Array.from({ length: 300 }, createWaiting)
  for (const waiting of crowd) hub.add(waiting, pages)
  const small = createWaiting()
  hub.add(small, [{ place: 0, tags: ['own'] }])
  hub.invalidate(['of no page'])
  await vi.advanceTimersByTimeAsync(2_000)
  // The tags of the first 250 connections have used up the limit.
  expect(crowd.findIndex(({ notified }) => notified.length > 0)).toBe(250)
  expect(crowd.slice(250).every(({ notified }) => notified.length === 1)).toBe(true)
  expect(small.notified).toEqual([])
  for (const waiting of crowd) hub.remove(waiting)
  const next = createWaiting()
  hub.add(next, pages)
  hub.invalidate(['of no page'])
  await vi.advanceTimersByTimeAsync(2_000)
  expect(next.notified).toEqual([])
})

test('each connection gets one heartbeat per interval', async () => {
  const hub = createHub(15_000)
  const waiting = createWaiting()
  hub.add(waiting, [])
  await vi.advanceTimersByTimeAsync(45_100)
  expect(waiting.beats()).toBe(3)
})

test('many connections are notified in batches, which grow while the server is idle', async () => {
  const hub = createHub(15_000)
  const crowd = Array.from({ length: 1_000 }, createWaiting)
  for (const waiting of crowd) hub.add(waiting, [{ place: 0, tags: ['a'] }])
  hub.invalidate(['a'])
  await vi.advanceTimersByTimeAsync(25)
  const first = crowd.filter(({ notified }) => notified.length > 0).length
  expect(first).toBeGreaterThan(0)
  expect(first).toBeLessThan(50)
  await vi.advanceTimersByTimeAsync(2_000)
  expect(crowd.every(({ notified }) => notified.length === 1)).toBe(true)
})
