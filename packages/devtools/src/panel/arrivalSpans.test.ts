import { expect, test } from 'vitest'
import { defaultNavigation } from '../../../waymark/src/shared/settings.ts'
import type { DevEvent, RecordedEvent } from '../events/events.ts'
import { deadlineMs, timelineOf } from './arrivalSpans.ts'

test('the deadline in the chart is the default of navigation.timeoutMs', () => {
  expect(deadlineMs).toBe(defaultNavigation.timeoutMs)
})

const at = (at: number, event: RecordedEvent, side: 'server' | 'browser' = 'server'): DevEvent => ({
  ...event,
  id: `${at}`,
  at,
  load: 'load',
  side,
})

test('spans are placed in time, and none starts before the load', () => {
  const timing = {}
  const events = [
    at(1_010, { type: 'request', method: 'GET', url: '/a', kind: 'data' }),
    at(1_050, { type: 'step', step: 'render', durationMs: 30 }),
    at(1_060, { type: 'status', status: 200, durationMs: 50, digest: null, timing }),
    at(1_200, { type: 'response', durationMs: 190, isWhole: false }),
    at(1_300, { type: 'arrived', what: 'code', durationMs: 900 }, 'browser'),
  ]
  expect(timelineOf({ events, startedAtMs: 1_000 }, 1_250)).toEqual({
    lengthMs: 300,
    spans: [
      { name: 'code', side: 'browser', fromMs: 0, toMs: 300 },
      { name: 'response starts, 200', side: 'server', fromMs: 10, toMs: 60 },
      { name: 'guards and status', side: 'server', fromMs: 20, toMs: 50 },
      { name: 'response, cut off', side: 'server', fromMs: 60, toMs: 200 },
    ],
  })
})
