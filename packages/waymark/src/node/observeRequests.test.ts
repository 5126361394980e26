import { expect, onTestFinished, test, vi } from 'vitest'
import type { HandlerResponse } from '../shared/response.ts'
import { createNodeServer } from './httpServer.ts'
import { createAccessLog, type FinishedRequest } from './observeRequests.ts'
import { createMetrics, readMetricsToken } from './prometheus.ts'

const digest = '20261122-abcdef'

const handle = async ({ target }: { readonly target: string }): Promise<HandlerResponse> => {
  const failed = target.startsWith('/bad')
  const headers: [string, string][] = failed ? [['x-waymark-digest', digest]] : []
  return { status: failed ? 500 : 200, headers: [...headers, ['waymark-cache', 'hit']], body: 'x' }
}

async function serve(token: string | null = null, hasServerTiming = false) {
  const finished: FinishedRequest[] = []
  const metrics = createMetrics()
  const server = createNodeServer({
    handle,
    port: 0,
    host: '127.0.0.1',
    observer: {
      hasServerTiming,
      routeOf: (target) => (target.startsWith('/bad') ? '/bad' : null),
      onStarted: metrics.onStarted,
      onFinished(request) {
        finished.push(request)
        metrics.onFinished(request)
      },
    },
    metrics: token === null ? undefined : { token, text: metrics.text },
  })
  const { url } = await server.listen()
  onTestFinished(async () => void (await server.close()))
  return { url, finished }
}

test('a request is observed without what it asked for', async () => {
  const { url, finished } = await serve()
  const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`
  await (await fetch(`${url}/bad/one?secret=1`, { headers: { traceparent } })).text()
  await vi.waitFor(() => expect(finished).toHaveLength(1))
  const [request] = finished
  expect(request).toMatchObject({
    ...{ method: 'GET', route: '/bad', status: 500, digest, cache: 'hit' },
    ...{ trace: 'a'.repeat(32), isCut: false },
  })
  expect(request?.bytes).toBeGreaterThan(20)
  expect(JSON.stringify(request)).not.toContain('secret')
})

test('a response says what its steps took, where that is wanted', async () => {
  const { url } = await serve(null, true)
  const response = await fetch(`${url}/bad`)
  expect(response.headers.get('server-timing')).toMatch(/^total;dur=[\d.]+$/)
  const quiet = await serve()
  expect((await fetch(`${quiet.url}/bad`)).headers.get('server-timing')).toBeNull()
})

test('the metrics are for who has the token', async () => {
  const token = 'a-token-of-a-scraper'
  const { url, finished } = await serve(token)
  await (await fetch(`${url}/bad`)).text()
  await vi.waitFor(() => expect(finished).toHaveLength(1))
  const scrape = (authorization: string) =>
    fetch(`${url}/_waymark/metrics`, { headers: { authorization } })
  expect((await scrape('Bearer other')).status).toBe(404)
  const text = await (await scrape(`Bearer ${token}`)).text()
  const labels = 'method="GET",route="/bad",status="500"'
  expect(text).toContain(`waymark_request_seconds_count{${labels}} 1`)
  expect(text).toContain(`waymark_request_seconds_bucket{${labels},le="+Inf"} 1`)
  expect(text).toContain('waymark_errors_total 1')
  expect(text).toContain('waymark_page_cache_total{state="hit"} 1')
  expect(text).toContain('waymark_event_loop_lag_seconds{quantile="0.99"}')
})

test('methods that clients invent are one series; routes are written safely', () => {
  const { onFinished, text } = createMetrics()
  const request = {
    status: 405,
    durationMs: 3,
    phases: {},
    bytes: 1,
    digest: null,
    trace: null,
    cache: null,
  }
  for (const method of ['BREW', 'POUR']) {
    onFinished({ ...request, method, route: '/a"b', isCut: false })
  }
  expect(text()).toContain('_count{method="other",route="/a\\"b",status="405"} 2')
})

test('a token that is short or missing', () => {
  expect(readMetricsToken({})).toBeNull()
  expect(() => readMetricsToken({ WAYMARK_METRICS_TOKEN: 'short' })).toThrow('16 characters')
})

test('a log whose reader has stopped loses lines, and says how many', () => {
  const lines: string[] = []
  const stream = { writableLength: 2_000_000, write: (text: string) => lines.push(text) }
  const log = createAccessLog(stream, () => 0)
  const request = {
    method: 'GET',
    route: null,
    status: 200,
    durationMs: 1.26,
    bytes: 5,
    phases: { render: 0.87 },
  }
  const rest = { digest: null, trace: null, cache: null, isCut: false }
  log({ ...request, ...rest })
  stream.writableLength = 0
  log({ ...request, ...rest })
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({
      time: '1970-01-01T00:00:00.000Z',
      ms: 1.3,
      phases: { render: 0.9 },
      droppedLines: 1,
    }),
  ])
})
