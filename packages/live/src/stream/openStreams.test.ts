import { expect, test, vi } from 'vitest'
import { createOpenStreams } from './openStreams.ts'

const limits = { maxStreams: 3, maxPerClient: 2 }

test('one client has so many streams, and no more', () => {
  const open = createOpenStreams(limits)
  const places = [open.enter('a'), open.enter('a')]
  expect(open.enter('a')).toBeNull()
  expect(open.enter('b')).not.toBeNull()
  places[0]?.leave()
  places[0]?.leave()
  expect(open.enter('a')).not.toBeNull()
  expect(open.enter('a')).toBeNull()
})

test('clients that share an address are limited in all', () => {
  const open = createOpenStreams(limits)
  const places = [open.enter(null), open.enter(null), open.enter(null)]
  expect(places).not.toContain(null)
  expect(open.enter(null)).toBeNull()
  for (const place of places) place?.leave()
  expect(open.count()).toBe(0)
})

test('draining ends all, those too that begin meanwhile, and lets none in', () => {
  const open = createOpenStreams(limits)
  const ends = [vi.fn(), vi.fn(), vi.fn()]
  const [first, late, left] = [open.enter('a'), open.enter('b'), open.enter('c')]
  first?.onDrain(ends[0] as () => void)
  left?.onDrain(ends[2] as () => void)
  left?.leave()
  open.drain()
  late?.onDrain(ends[1] as () => void)
  expect(ends.map((end) => end.mock.calls.length)).toEqual([1, 1, 0])
  expect(open.enter('d')).toBeNull()
})
