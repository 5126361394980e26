import { describe, expect, test, vi } from 'vitest'
import { notFound } from '../../http/statuses.ts'
import { hostileValues } from '../../journal/testing/hostileValues.ts'
import { parseBeacon } from '../../rsc/errors/beacon.ts'
import { type ErrorBeacon, isDigest, maxBeaconBytes } from '../../wire/errorReport.ts'
import { createErrorReporter, encodeBeacon } from './errorReporter.ts'

function create() {
  const send = vi.fn<(beacon: string) => void>()
  const now = vi.fn(() => Date.UTC(2026, 10, 21))
  const visits = { targets: [] as string[], build: 'b1' }
  const reporter = createErrorReporter(visits, { send, now })
  const sent = () => send.mock.calls.map(([json]) => JSON.parse(json) as ErrorBeacon)
  return { ...reporter, visits, send, sent, now }
}

const target = '/a?token=s3cret'
const handler = { source: 'error', target } as const
const boundary = { source: 'boundary', target } as const

describe('a report', () => {
  test('contains what the journal needs, in the format of the server', async () => {
    const { report, visits, sent } = create()
    visits.targets.push('/1?q=s3cret', '/2')
    const digest = report(new TypeError('broken'), {
      ...boundary,
      componentStack: '\n    at Page',
    })
    const [beacon] = sent()
    expect(beacon).toMatchObject({
      digest,
      source: 'boundary',
      name: 'TypeError',
      message: 'broken',
      componentStack: '\n    at Page',
      path: '/a?token=',
      navigations: ['/1?q=', '/2'],
      buildId: 'b1',
    })
    expect(parseBeacon(beacon)).toEqual(beacon)
    expect(beacon?.stack).toContain('reportError.test.ts')
    expect(isDigest(digest ?? '')).toBe(true)
  })

  test.each(hostileValues())('describes any thrown value: %s', async (_, thrown) => {
    const { report, sent, send } = create()
    expect(isDigest(report(thrown, handler) ?? '')).toBe(true)
    expect(Buffer.byteLength(send.mock.calls[0]?.[0] ?? '')).toBeLessThanOrEqual(maxBeaconBytes)
    expect(parseBeacon(sent()[0])).not.toBeNull()
  })

  test('is not sent for a signal', () => {
    const { report, send } = create()
    try {
      notFound()
    } catch (thrown) {
      expect(report(thrown, handler)).toBeNull()
    }
    expect(send).not.toHaveBeenCalled()
  })

  test('is not sent for an error of the server, which keeps its digest', () => {
    const { report, send } = create()
    const thrown = Object.assign(new Error('stand-in'), { digest: '6r3v-0m2k-x7q' })
    expect(report(thrown, handler)).toBe('6r3v-0m2k-x7q')
    expect(send).not.toHaveBeenCalled()
  })
})

describe('reports are limited', () => {
  test('to one for an error that arrives in several ways', () => {
    const { report, send } = create()
    const thrown = new Error('broken')
    expect(report(thrown, handler)).toBe(report(thrown, boundary))
    expect(send).toHaveBeenCalledOnce()
  })

  test('to one for equal errors', () => {
    const { report, send } = create()
    expect(report('broken', handler)).toBe(report('broken', handler))
    expect(send).toHaveBeenCalledOnce()
  })

  test('per minute, with some reserved for errors on the screen', () => {
    const { report, send, now } = create()
    for (let at = 0; at < 30; at++) report(`broken ${at}`, handler)
    expect(send).toHaveBeenCalledTimes(7)
    expect(report('more', handler)).toBeNull()
    for (let at = 0; at < 30; at++) report(`shown ${at}`, boundary)
    expect(send).toHaveBeenCalledTimes(10)
    now.mockReturnValue(Date.UTC(2026, 10, 21, 0, 1, 1))
    expect(report('later', handler)).not.toBeNull()
  })

  test('per document', () => {
    const { report, send, now } = create()
    for (let at = 0; at < 200; at++) {
      now.mockReturnValue(Date.UTC(2026, 10, 21) + at * 60_000)
      report(`broken ${at}`, handler)
    }
    expect(send).toHaveBeenCalledTimes(50)
  })
})

test('a beacon is shortened until it fits', () => {
  const long = '\u0001'.repeat(6_000)
  const json = encodeBeacon({
    digest: '6r3v-0m2k-x7q',
    source: 'error',
    name: 'Error',
    message: long,
    stack: long,
    componentStack: long,
    path: `/${long}`,
    navigations: [`/${long}`],
    buildId: null,
  })
  expect(Buffer.byteLength(json)).toBeLessThanOrEqual(maxBeaconBytes)
  expect(parseBeacon(JSON.parse(json))).toMatchObject({ digest: '6r3v-0m2k-x7q' })
})
