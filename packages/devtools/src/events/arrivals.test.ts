import { expect, test } from 'vitest'
import { arrivals } from './arrivals.ts'
import { createEventLog } from './eventLog.ts'
import type { DevEvent, RecordedEvent } from './events.ts'
import { parseBrowserEvent } from './serverEvents.ts'

let count = 0
function event(at: number, side: DevEvent['side'], recorded: RecordedEvent, load = 'load-1') {
  return { ...recorded, at, side, load, id: `e${count++}` } satisfies DevEvent
}
const state = (
  state: Extract<DevEvent, { type: 'navigation' }>['state'],
  outcome: string | null = null,
) => ({ type: 'navigation', state, url: '/oak', kind: 'push', outcome }) as const
const status = (status: number, durationMs: number) =>
  ({ type: 'status', status, durationMs, digest: null, timing: { proxy: 3 } }) as const
const request = { type: 'request', method: 'GET', url: '/oak', kind: 'data' } as const

test("a load contains the phase that took longest, and the server's timings", () => {
  const [arrival] = arrivals([
    event(100, 'browser', state('start')),
    event(105, 'server', request),
    event(900, 'server', { type: 'step', step: 'render', durationMs: 790 }),
    event(905, 'server', status(200, 800)),
    event(910, 'server', { type: 'response', durationMs: 805, isWhole: true }),
    event(920, 'browser', { type: 'arrived', what: 'data', durationMs: 815 }),
    event(950, 'browser', state('idle', 'committed')),
  ])
  expect(arrival).toMatchObject({
    url: '/oak',
    kind: 'push',
    outcome: 'arrived',
    startedAtMs: 100,
    endedAtMs: 950,
    phases: { server: 800, gate: 790, render: 5, data: 815 },
    waitedFor: 'gate',
    timing: { proxy: 3 },
  })
})

test.each([
  ['pending', [state('start')]],
  ['failed', [state('start'), state('failed')]],
  ['failed', [state('start'), state('idle', 'canceled')]],
  ['notice', [state('start'), state('late'), state('idle', 'committed')]],
  ['screen', [state('start'), status(404, 1), state('idle', 'committed')]],
  ['arrived', [request, status(200, 1)]],
] as const)('a load ends with %s', (outcome, recorded) => {
  const events = recorded.map((each, at) => event(at, 'browser', each))
  expect(arrivals(events)).toMatchObject([{ outcome }])
})

test('duplicate events count once, and events without a load are ignored', () => {
  const started = event(1, 'browser', state('start'))
  const prefetch = { ...request, kind: 'prefetch' } as const
  const loads = arrivals([started, started, event(2, 'server', prefetch, 'load-2')])
  expect(loads.map(({ load, events }) => [load, events.length])).toEqual([['load-1', 1]])
})

test('the log is limited by count and bytes, and returns events since a position', () => {
  const log = createEventLog({ maxEvents: 3, maxBytes: 500 })
  for (let at = 1; at <= 5; at++) log.add(event(at, 'browser', { type: 'error', digest: 'd' }))
  expect(log.list().map(({ at }) => at)).toEqual([3, 4, 5])
  expect(log.since(4).map(({ event }) => event.at)).toEqual([5])
  log.add(event(6, 'browser', { type: 'error', digest: 'd'.repeat(350) }))
  expect(log.list().map(({ at }) => at)).toEqual([6])
  log.add(event(7, 'browser', { type: 'error', digest: 'd'.repeat(600) }))
  expect(log.list().map(({ at }) => at)).toEqual([6])
})

test('only valid browser events are accepted from browsers', () => {
  const good = { type: 'error', digest: 'wm-1', id: 'doc1-0', at: 1, load: 'doc1', side: 'server' }
  expect(parseBrowserEvent(good)).toMatchObject({ side: 'browser', digest: 'wm-1' })
  for (const bad of [
    null,
    'text',
    { ...good, type: 'status' },
    { ...good, id: '<script>' },
    { ...good, load: 7 },
    { ...good, at: '1' },
    { ...good, more: 'x'.repeat(5_000) },
  ]) {
    expect(parseBrowserEvent(bad)).toBeNull()
  }
})
