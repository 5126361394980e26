import { describe, expect, test, vi } from 'vitest'
import { toServerRequest } from '../../../waymark/src/http/web.ts'
import { causes, type Load, loadKinds, maxBeaconBytes } from '../shared/load.ts'
import type { Counts } from '../shared/series.ts'
import { countArrivals } from './endpoint.ts'

const origin = 'https://site.test'
const fromSameOrigin = { 'sec-fetch-site': 'same-origin' }
const load: Load = { route: '/a', kind: 'push', outcome: 'page', ms: 12, attempts: 1 }
const vital = { route: '/a', name: 'LCP', isSoft: false, value: 800 }
const beacon = { build: 'b1', loads: [load], vitals: [vital] }

function create() {
  const written: { readonly data: unknown }[] = []
  let close = () => {}
  const { endpoints } = countArrivals({
    buildId: 'b1',
    patterns: ['/a'],
    journal: {
      write: (record) => written.push(record),
      onClose(listener) {
        close = listener
      },
    },
  })
  const send = async (
    body: unknown = beacon,
    {
      headers = fromSameOrigin as Record<string, string>,
      method = 'POST',
      client = '203.0.113.1',
    } = {},
  ) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const init = method === 'GET' ? { headers } : { method, headers, body: text }
    const request = toServerRequest(new Request(`${origin}/_waymark/arrivals`, init))
    const response = await endpoints?.[0]?.handle({ ...request, remoteAddress: client })
    return response?.status
  }
  /** Stops the server, and returns the counts that it has stored for each series. */
  const stored = () => {
    close()
    return written.map(({ data }) => (data as Counts).series.map(({ count }) => count))
  }
  return { send, written, stored }
}

describe('the endpoint', () => {
  test('counts in memory, and stores once when the server stops', async () => {
    const { send, written, stored } = create()
    for (let at = 0; at < 10; at++) expect(await send()).toBe(204)
    expect(written).toEqual([])
    expect(stored()).toEqual([[10]])
    expect(stored()).toEqual([[10]])
  })

  test('stores its counts every five minutes', async () => {
    vi.useFakeTimers()
    try {
      const { send, written } = create()
      await send()
      await vi.advanceTimersByTimeAsync(299_000)
      expect(written).toHaveLength(0)
      await vi.advanceTimersByTimeAsync(1_000)
      expect(written).toMatchObject([{ kind: 'counts', name: 'arrivals' }])
      await vi.advanceTimersByTimeAsync(900_000)
      expect(written).toHaveLength(1)
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('an attack', () => {
  test.each<[string, unknown, Parameters<ReturnType<typeof create>['send']>[1], number]>([
    ['another method', beacon, { method: 'GET' }, 405],
    ['a page of another site', beacon, { headers: { 'sec-fetch-site': 'cross-site' } }, 403],
    ['a request not from a page', beacon, { headers: {} }, 403],
    ['a huge body', 'x'.repeat(maxBeaconBytes + 1), {}, 413],
    [
      'a body that says to be small',
      'x'.repeat(maxBeaconBytes + 1),
      { headers: { ...fromSameOrigin, 'content-length': '10' } },
      413,
    ],
    ['no JSON', '{', {}, 400],
    ['an empty body', '', {}, 400],
    ['bytes that are not text', '\ufffd\ufffd', {}, 400],
    ['wrong types', { ...beacon, loads: 'all' }, {}, 400],
    ['a negative time', { ...beacon, loads: [{ ...load, ms: -1 }] }, {}, 400],
  ])('by %s is refused, and counted nowhere', async (_, body, options, status) => {
    const { send, stored } = create()
    expect(await send(body, options)).toBe(status)
    expect(stored()).toEqual([])
  })

  test('with unknown patterns counts no load', async () => {
    const { send, written, stored } = create()
    expect(await send({ ...beacon, loads: [{ ...load, route: '/secret' }, load] })).toBe(204)
    expect(stored()).toEqual([[1]])
    expect(written).toMatchObject([{ data: { refused: 1 } }])
  })

  test('with ever new combinations fills neither the memory nor the journal', async () => {
    const { send, written, stored } = create()
    const statuses = Array.from({ length: 100 }, (_, at) => 400 + at)
    const loads = statuses.flatMap((status) =>
      loadKinds.flatMap((kind) =>
        causes.map((cause) => ({ ...load, kind, cause, outcome: 'fallback', status })),
      ),
    )
    for (let round = 0; round < 4; round++) {
      for (let at = 0; at < loads.length; at += 50) {
        const client = `203.0.113.${round}`
        const build = `b${round}`
        expect(await send({ build, loads: loads.slice(at, at + 50), vitals: [] }, { client })).toBe(
          204,
        )
      }
    }
    expect(written).toEqual([])
    const [series = []] = stored()
    expect(series.length).toBeLessThanOrEqual(4_000)
    const [record] = written as { data: Counts }[]
    expect(record?.data.refused).toBe(4 * loads.length - series.length)
  })

  test('by many clients is limited to the rate that one core can handle', async () => {
    vi.useFakeTimers()
    try {
      const { send, stored } = create()
      const statuses: (number | undefined)[] = []
      for (let at = 0; at < 21_000; at++) {
        statuses.push(await send(beacon, { client: `8.8.${at >> 8}.${at & 255}` }))
      }
      expect(statuses.filter((status) => status === 429)).toHaveLength(1_000)
      vi.advanceTimersByTime(1_000)
      expect(await send(beacon, { client: '9.9.9.9' })).toBe(204)
      expect(stored()).toEqual([[20_001]])
    } finally {
      vi.useRealTimers()
    }
  })

  test('by one client leaves room for others', async () => {
    const { send, stored } = create()
    const statuses: (number | undefined)[] = []
    for (let at = 0; at < 1_000; at++) statuses.push(await send())
    const accepted = statuses.filter((status) => status === 204).length
    expect(accepted).toBeLessThan(200)
    expect(statuses.at(-1)).toBe(429)
    expect(await send(beacon, { client: '198.51.100.7' })).toBe(204)
    expect(stored()).toEqual([[accepted + 1]])
  })
})
