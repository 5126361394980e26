import { expect, onTestFinished, test } from 'vitest'
import { startApp } from './harness/app.ts'

const live = '/_waymark/health/live'
const ready = '/_waymark/health/ready'

async function startProxied(args: readonly string[]) {
  const app = await startApp({ app: 'proxied', mode: 'production', args })
  onTestFinished(() => (app.exitCode() === null ? app.kill() : undefined))
  const get = (path: string) => fetch(`${app.origin}${path}`, { redirect: 'manual' })
  return { app, get }
}

test('health is reported without running proxy.ts', async () => {
  const { app, get } = await startProxied([])
  for (const [path, status] of [
    [live, 'live'],
    [ready, 'ready'],
  ] as const) {
    const answer = await get(path)
    const requests = { runningRequests: 0, abandonedRequests: 0, waitingRequests: 0 }
    const counts = { ...requests, refusedRequests: 0, uncaughtExceptions: 0 }
    expect([answer.status, await answer.json()]).toEqual([200, { status, ...counts }])
    expect(answer.headers.get('cache-control')).toBe('no-store')
  }
  expect(await (await get('/log')).text()).not.toContain('health')
  await app.stop()
})

test('readiness ends before draining, and running requests complete', async () => {
  const { app, get } = await startProxied(['--drain-delay', '1s', '--drain-timeout', '5s'])
  process.kill(app.pid, 'SIGTERM')
  await expect.poll(async () => (await get(ready)).status).toBe(503)
  expect((await get(live)).status).toBe(200)
  // Request a prerendered page first, then a rendered one.
  expect((await get('/open')).status).toBe(200)
  expect((await get('/target')).status).toBe(200)
  await expect.poll(app.exitCode).toBe(0)
  await expect(get('/open')).rejects.toThrow()
})

test('Ctrl-C skips the delay', async () => {
  const { app } = await startProxied(['--drain-delay', '1m'])
  process.kill(app.pid, 'SIGINT')
  await expect.poll(app.exitCode).toBe(0)
})
