import { expect, test } from 'vitest'
import { startApp } from './harness/app.ts'

test('each request has a log line, and metrics need the token', async () => {
  const token = 'the-token-of-a-scraper'
  const env = { WAYMARK_METRICS_TOKEN: token }
  const options = { app: 'errors', mode: 'production', args: ['--log', 'json'], env } as const
  const app = await startApp(options)
  try {
    const failed = await fetch(`${app.origin}/page/throw?name=somebody`)
    await failed.text()
    const lines = () =>
      app
        .logs()
        .split('\n')
        .filter((line) => line.startsWith('{"time"'))
    await expect.poll(lines).toHaveLength(1)
    const [line = ''] = lines()
    expect(JSON.parse(line)).toMatchObject({
      method: 'GET',
      route: '/page/[what]',
      status: 500,
      digest: failed.headers.get('x-waymark-digest'),
    })
    expect(line).not.toContain('somebody')
    expect(JSON.parse(line).phases).toMatchObject({
      match: expect.any(Number),
      render: expect.any(Number),
    })
    expect(failed.headers.get('server-timing')).toBe(null)
    const url = `${app.origin}/_waymark/metrics`
    expect((await fetch(url)).status).toBe(404)
    const scraped = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
    const text = await scraped.text()
    expect(text).toContain(
      'waymark_request_seconds_count{method="GET",route="/page/[what]",status="500"} 1',
    )
    expect(text).toContain('waymark_renders_running 0')
  } finally {
    await app.stop()
  }
})
