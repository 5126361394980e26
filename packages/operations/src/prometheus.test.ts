import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createMetrics } from './prometheus.ts'

test('invented methods share one series, and routes are escaped', () => {
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

test('an idle event loop has no lag, and a blocked one has the duration of the block', {
  retry: 3,
}, async () => {
  const { text } = createMetrics()
  const lag = (quantile: string) =>
    Number(new RegExp(`lag_seconds\\{quantile="${quantile}"\\} (\\S+)`).exec(text())?.[1])
  await sleep(300)
  // The timer's own interval of 20 ms must not count as lag.
  expect(lag('0.5')).toBeLessThan(0.015)
  await sleep(50)
  const endsAtMs = performance.now() + 200
  while (performance.now() < endsAtMs);
  await sleep(50)
  expect(lag('0.99')).toBeGreaterThan(0.15)
})
