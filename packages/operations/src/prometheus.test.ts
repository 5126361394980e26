import { expect, test } from 'vitest'
import { createMetrics } from './prometheus.ts'

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
