import { describe, expect, test } from 'vitest'
import { createLoadTracker, type EndedLoad, type Handover, type LoadEvent } from './loadTracker.ts'

type Step = LoadEvent | 'hide' | 'offline'

const a = 'https://x/a'
const navigation = (
  state: Extract<LoadEvent, { type: 'navigation' }>['state'],
  outcome: string | null = null,
  { url = a, kind = 'push' } = {},
): LoadEvent => ({ type: 'navigation', state, url, kind, outcome })
const start = navigation('start')
const idle = (outcome: string) => navigation('idle', outcome)
const retry = (reason: string): LoadEvent => ({ type: 'retry', reason })
const fetched = (status: number, digest: string | null = null): LoadEvent => {
  return { type: 'fetched', status, digest }
}
const arrived = (what: 'data' | 'code', durationMs: number): LoadEvent => {
  return { type: 'arrived', what, durationMs }
}
const notice: LoadEvent = { type: 'notice' }
const deadline: LoadEvent = { type: 'deadline' }

/** Runs steps that are 10 ms apart. */
function run(steps: readonly Step[]) {
  const loads: EndedLoad[] = []
  const handovers: Handover[] = []
  let isOnline = true
  const tracker = createLoadTracker({
    onEnd: (load) => loads.push(load),
    onHandover: (_, handover) => handovers.push(handover),
    isOnline: () => isOnline,
  })
  for (const [at, step] of steps.entries()) {
    if (step === 'offline') isOnline = false
    else if (step === 'hide') tracker.giveUp(at * 10)
    else tracker.record(step, at * 10)
  }
  return { loads, handovers, tracker }
}

const push = { url: a, kind: 'push', attempts: 1 }

describe('a navigation ends as', () => {
  test.each<[string, Step[], object]>([
    ['a page', [start, fetched(200), idle('committed')], { outcome: 'page', ms: 20 }],
    ['a page from memory', [start, idle('committed')], { outcome: 'page', ms: 10 }],
    [
      'a fallback',
      [start, fetched(404), idle('committed')],
      { outcome: 'fallback', status: 404, ms: 20 },
    ],
    [
      'an error',
      [start, fetched(500, 'd'), idle('committed')],
      { outcome: 'error', digest: 'd', ms: 20 },
    ],
    [
      'a page after a retry',
      [start, retry('BrokenPayload'), fetched(200), idle('committed')],
      { outcome: 'page', attempts: 2, cause: 'cut', ms: 30 },
    ],
    [
      'a page after a response that was none',
      [start, fetched(502), retry('NoPageData'), fetched(200), idle('committed')],
      { outcome: 'page', attempts: 2, cause: 'refused', ms: 40 },
    ],
    [
      'a notice, end it arrived',
      [start, deadline, notice, idle('committed')],
      { outcome: 'notice', end: 'arrived', cause: 'timed-out', ms: 30 },
    ],
    [
      'a notice, end it was given up',
      [start, 'offline', navigation('failed'), notice, idle('canceled')],
      { outcome: 'notice', end: 'gave-up', cause: 'offline', ms: 40 },
    ],
    [
      'a notice, end the person went elsewhere',
      [start, navigation('failed'), notice, idle('superseded')],
      { outcome: 'notice', end: 'left', cause: 'unreachable', ms: 30 },
    ],
    [
      'a notice whose cause is known before the time is over',
      [start, 'offline', retry('NoPageData'), deadline, notice, idle('canceled')],
      { outcome: 'notice', end: 'gave-up', attempts: 2, cause: 'offline', ms: 50 },
    ],
    ['left', [start, idle('superseded')], { outcome: 'left', ms: 10 }],
    [
      'left, where code of the app gives it up',
      [start, idle('canceled')],
      { outcome: 'left', ms: 10 },
    ],
    ['never, if it could not be shown', [start, idle('failed')], { outcome: 'never', ms: 10 }],
    ['never', [start, 'hide'], { outcome: 'never', ms: 10 }],
  ])('%s', (_, steps, expected) => {
    expect(run(steps).loads).toEqual([{ ...push, ...expected }])
  })

  test('one outcome only, because later events are ignored', () => {
    const steps: Step[] = [start, 'hide', idle('committed'), 'hide', notice, idle('canceled')]
    expect(run(steps).loads).toHaveLength(1)
  })

  test('separate loads if there are two', () => {
    const other = { url: 'https://x/b', kind: 'traverse' }
    const steps = [
      start,
      idle('superseded'),
      navigation('start', null, other),
      navigation('idle', 'committed', other),
    ]
    expect(run(steps).loads).toMatchObject([
      { url: a, outcome: 'left' },
      { ...other, outcome: 'page' },
    ])
  })

  test('no load if it refreshes the page on the screen', () => {
    const refresh = { kind: 'refresh' }
    const steps = [
      navigation('start', null, refresh),
      notice,
      navigation('idle', 'failed', refresh),
    ]
    expect(run(steps).loads).toEqual([])
  })
})

describe('an action that leads to another page', () => {
  const action = (outcome: string | null): LoadEvent => ({ type: 'action', outcome })

  test('is a load that starts with the submit', () => {
    const steps = [action(null), action('redirect'), start, idle('committed')]
    expect(run(steps).loads).toEqual([{ ...push, kind: 'action', outcome: 'page', ms: 30 }])
  })

  test('is not a load if it stays on its page', () => {
    const steps = [action(null), action('result'), start, idle('committed')]
    expect(run(steps).loads).toMatchObject([{ kind: 'push', ms: 10 }])
  })
})

describe('a document', () => {
  const rendered = (
    status: number | null,
    before: Handover | null = null,
    atMs: number | null = 90,
  ) => {
    const { loads, tracker } = run([])
    tracker.begin(a, before)
    tracker.show(atMs, status, 'd')
    tracker.giveUp(200)
    return loads
  }

  test.each<[number | null, object]>([
    [200, { outcome: 'page' }],
    [null, { outcome: 'page' }],
    [404, { outcome: 'fallback', status: 404 }],
    [500, { outcome: 'error', digest: 'd' }],
  ])('with status %s', (status, expected) => {
    const load = { url: a, kind: 'document', attempts: 1, ms: 90 }
    expect(rendered(status)).toEqual([{ ...load, ...expected }])
  })

  test('that nobody saw has no time', () => {
    expect(rendered(200, null, null)).toMatchObject([{ outcome: 'page', ms: null }])
  })

  test('continues the navigation that opened it, including its notice', () => {
    const { handovers, loads } = run([start, retry('NoPageData'), notice, idle('document')])
    expect(loads).toEqual([])
    const before = { startedAtMs: 0, attempts: 2, isNoticed: true, cause: 'unreachable' }
    expect(handovers).toEqual([before])
    expect(rendered(200, handovers[0])).toMatchObject([
      { outcome: 'notice', end: 'arrived', attempts: 2, ms: 90 },
    ])
  })

  test('that shows nothing has not arrived', () => {
    const { loads, tracker } = run([])
    tracker.begin(a, null)
    expect(tracker.isOverdue(59_999)).toBe(false)
    expect(tracker.isOverdue(60_000)).toBe(true)
    tracker.giveUp(60_000)
    expect(loads).toMatchObject([{ outcome: 'never', ms: 60_000 }])
  })
})

describe('a load that took more than a second', () => {
  const steps = (waitedMs: number) => [start, arrived('data', 900), arrived('code', waitedMs)]

  test.each([
    ['code', 2_000],
    ['data', 100],
  ])('waited for its %s', (waitedFor, waitedMs) => {
    const { loads, tracker } = run(steps(waitedMs))
    tracker.record(idle('committed'), 1_500)
    expect(loads).toMatchObject([{ outcome: 'page', late: waitedFor }])
  })

  test('reports no wait if it was given up or in time', () => {
    const { loads, tracker } = run([...steps(10), idle('committed'), ...steps(10)])
    tracker.giveUp(5_000)
    expect(loads.map(({ outcome, late }) => [outcome, late])).toEqual([
      ['page', undefined],
      ['never', undefined],
    ])
  })
})
