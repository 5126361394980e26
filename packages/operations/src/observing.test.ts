import { expect, onTestFinished, test, vi } from 'vitest'
import type { FinishedRequest, RequestObserver } from 'waymark/plugin/node'
import type { HandlerResponse } from '../../waymark/src/http/response.ts'
import { createNodeServer } from '../../waymark/src/node/httpServer.ts'
import { observeRequests } from '../../waymark/src/node/observeRequests.ts'
import { readMetricsToken, withMetrics } from './observing.ts'
import { createMetrics } from './prometheus.ts'

const digest = '20261122-abcdef'

const handle = async ({ target }: { readonly target: string }): Promise<HandlerResponse> => {
  const failed = target.startsWith('/bad')
  const headers: [string, string][] = failed ? [['x-waymark-digest', digest]] : []
  return { status: failed ? 500 : 200, headers: [...headers, ['waymark-cache', 'hit']], body: 'x' }
}

async function serve(token: string) {
  const finished: FinishedRequest[] = []
  const metrics = createMetrics()
  const { text } = metrics
  const observer: RequestObserver = {
    routeOf: (target) => (target.startsWith('/bad') ? '/bad' : null),
    onStarted: metrics.onStarted,
    onFinished(request) {
      finished.push(request)
      metrics.onFinished(request)
    },
  }
  const server = createNodeServer({
    handle,
    port: 0,
    host: '127.0.0.1',
    wrap: (listener) => withMetrics(observeRequests(listener, observer), { token, text }),
  })
  const { url } = await server.listen()
  onTestFinished(async () => void (await server.close()))
  return { url, finished }
}

test('the metrics require the token', async () => {
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

test('a short token is refused, and without one there are no metrics', () => {
  expect(readMetricsToken({})).toBeNull()
  const read = () => readMetricsToken({ WAYMARK_METRICS_TOKEN: 'short' })
  expect(read).toThrow('16 characters')
  // Expect a `FrameworkError`, which the command line prints without a stack.
  expect(read).toThrow(expect.objectContaining({ name: 'FrameworkError', code: 'METRICS_TOKEN' }))
})
