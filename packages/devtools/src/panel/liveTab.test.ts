import { expect, test } from 'vitest'
import type { DevEvent, RecordedEvent } from '../events/events.ts'
import { connectionsOf, renderingsOf } from './liveTab.ts'

const at = (at: number, event: RecordedEvent, load = 'load'): DevEvent => ({
  ...event,
  id: `${at} ${event.type}`,
  at,
  load,
  side: 'server',
})

const request = (kind: 'document' | 'data' | 'action', url = '/board') =>
  ({ type: 'request', method: 'GET', url, kind }) as const
const rendered = (...tags: string[]) => ({ type: 'live', pathname: '/board', tags }) as const
const ended = (...tags: string[]) => ({ type: 'change', tags }) as const
const response = (isWhole: boolean) => ({ type: 'response', durationMs: 1, isWhole }) as const

test('a rendering has the followed tags that were invalidated since the previous rendering', () => {
  const events = [
    at(10, ended('notes')),
    at(20, request('document'), 'a'),
    at(21, rendered('notes', 'people'), 'a'),
    at(30, ended('notes', 'weather')),
    at(35, ended('notes')),
    at(40, request('data'), 'b'),
    at(41, rendered('notes', 'people'), 'b'),
    at(50, ended('people')),
    at(51, { type: 'live', pathname: '/other', tags: ['people'] }),
    at(52, rendered('notes', 'people'), 'forgotten'),
  ]
  expect(renderingsOf(events, '/board')).toEqual([
    { atMs: 52, tags: ['notes', 'people'], kind: null, changes: [{ tag: 'people', beforeMs: 2 }] },
    { atMs: 41, tags: ['notes', 'people'], kind: 'data', changes: [{ tag: 'notes', beforeMs: 6 }] },
    { atMs: 21, tags: ['notes', 'people'], kind: 'document', changes: [] },
  ])
  expect(renderingsOf(events, '/nowhere')).toEqual([])
})

test('a page that follows everything has all invalidated tags, and an invalidation of everything affects every page', () => {
  const tags = (...events: DevEvent[]) =>
    renderingsOf([at(0, rendered()), ...events], '/board')[0]?.changes
  expect(tags(at(1, ended('a')), at(2, rendered('*')))).toEqual([{ tag: 'a', beforeMs: 1 }])
  expect(tags(at(1, { type: 'change', tags: 'all' }), at(2, rendered('b')))).toEqual([
    { tag: 'everything', beforeMs: 1 },
  ])
})

test('a request for changes counts as waiting until its response has ended', () => {
  const ask = request('action', '/_waymark/live')
  const events = [
    at(1, ask, 'a'),
    at(2, ask, 'b'),
    at(3, request('document'), 'c'),
    at(4, response(true), 'c'),
    at(5, response(true), 'b'),
    at(6, ask, 'd'),
    at(7, response(false), 'd'),
  ]
  expect(connectionsOf(events)).toEqual({ waiting: 1, polledAtMs: 5 })
  expect(connectionsOf([])).toEqual({ waiting: 0, polledAtMs: null })
})
