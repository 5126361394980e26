import { expect, onTestFinished, test, vi } from 'vitest'
import type { HandlerResponse } from '../http/response.ts'
import { createNodeServer } from './httpServer.ts'
import { type FinishedRequest, observeRequests } from './observeRequests.ts'

const digest = '20261122-abcdef'

const handle = async ({ target }: { readonly target: string }): Promise<HandlerResponse> => {
  const failed = target.startsWith('/bad')
  const headers: [string, string][] = failed ? [['x-waymark-digest', digest]] : []
  return { status: failed ? 500 : 200, headers: [...headers, ['waymark-cache', 'hit']], body: 'x' }
}

async function serve(hasServerTiming = false) {
  const finished: FinishedRequest[] = []
  const server = createNodeServer({
    handle,
    port: 0,
    host: '127.0.0.1',
    wrap: (listener) =>
      observeRequests(listener, {
        hasServerTiming,
        routeOf: (target) => (target.startsWith('/bad') ? '/bad' : null),
        onFinished: (request) => finished.push(request),
      }),
  })
  const { url } = await server.listen()
  onTestFinished(async () => void (await server.close()))
  return { url, finished }
}

test('a request is observed without its URL', async () => {
  const { url, finished } = await serve()
  const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`
  await (await fetch(`${url}/bad/one?secret=1`, { headers: { traceparent } })).text()
  await vi.waitFor(() => expect(finished).toHaveLength(1))
  const [request] = finished
  expect(request).toMatchObject({
    method: 'GET',
    route: '/bad',
    status: 500,
    digest,
    cache: 'hit',
    trace: 'a'.repeat(32),
    isCut: false,
  })
  expect(request?.bytes).toBeGreaterThan(20)
  expect(JSON.stringify(request)).not.toContain('secret')
})

test('a response has the durations of its steps if that is enabled', async () => {
  const { url } = await serve(true)
  const response = await fetch(`${url}/bad`)
  expect(response.headers.get('server-timing')).toMatch(/^total;dur=[\d.]+$/)
  const quiet = await serve()
  expect((await fetch(`${quiet.url}/bad`)).headers.get('server-timing')).toBeNull()
})
