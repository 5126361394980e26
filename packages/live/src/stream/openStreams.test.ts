import { expect, test } from 'vitest'
import { createOpenStreams } from './openStreams.ts'

const limits = { maxStreams: 3, maxPerClient: 2 }

test('one client has so many streams, and no more', () => {
  const open = createOpenStreams(limits)
  const places = [open.enter('a'), open.enter('a')]
  expect(open.enter('a')).toBeNull()
  expect(open.enter('b')).not.toBeNull()
  places[0]?.()
  places[0]?.()
  expect(open.enter('a')).not.toBeNull()
  expect(open.enter('a')).toBeNull()
})

test('clients that share an address are limited in all', () => {
  const open = createOpenStreams(limits)
  const places = [open.enter(null), open.enter(null), open.enter(null)]
  expect(places).not.toContain(null)
  expect(open.enter(null)).toBeNull()
  for (const place of places) place?.()
  expect(open.count()).toBe(0)
})
