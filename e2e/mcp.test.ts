import { expect, test } from 'vitest'
import { describeModes } from './harness/describeModes.ts'
import { rawRequest } from './harness/rawRequest.ts'

const endpoint = '/_waymark/mcp'
const headers = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
}

describeModes('agents', { app: 'errors' }, (served) => {
  const send = (body: unknown, extra: Readonly<Record<string, string>> = {}) =>
    served.fetch(endpoint, {
      method: 'POST',
      headers: { ...headers, ...extra },
      body: JSON.stringify(body),
    })
  const call = async (name: string, toolArguments: object = {}) => {
    const params = { name, arguments: toolArguments }
    const response = await send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
    const { result } = await response.json()
    return result as { isError: boolean; content: [{ text: string }] }
  }

  test('find the tools of the dev server, and nothing in production', async () => {
    const response = await send({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
    if (served.mode === 'production') {
      // The response must be the same as for an unknown URL.
      const { status } = await served.fetch('/_waymark/none', { method: 'POST' })
      expect(response.status).toBe(status)
      expect((await served.fetch(endpoint)).status).toBe(404)
      return
    }
    const { result } = await response.json()
    expect(result.tools.map(({ name }: { name: string }) => name)).toEqual([
      'routes',
      'explain_route',
      'errors',
      'arrivals',
      'drill',
      'replay',
      'cache',
      'who_can_reach',
      'docs',
    ])
  })

  test('read about an error by its digest, and about a route', async ({ skip }) => {
    if (served.mode === 'production') skip()
    const routes = JSON.parse((await call('routes')).content[0].text)
    expect(routes).toContainEqual({ pattern: '/', kind: 'page', file: 'page.tsx' })
    const explained = JSON.parse((await call('explain_route', { pathname: '/' })).content[0].text)
    expect(explained).toMatchObject({ pattern: '/', file: 'page.tsx' })
    expect(explained.files[0]).toBe('layout.tsx')
    expect(explained.rendering.kind).toMatch(/static|dynamic/)
    expect((await call('docs', { page: 'actions' })).content[0].text).toMatch(/^# Server actions/)
    const failed = await served.fetch('/page/throw')
    const digest = failed.headers.get('x-waymark-digest') ?? ''
    const detail = JSON.parse((await call('errors', { digest })).content[0].text)
    expect(detail).toMatchObject({ digest, route: '/page/[what]' })
    const unknown = await call('errors', { digest: 'wm-none' })
    expect([unknown.isError, unknown.content[0].text]).toEqual([
      true,
      expect.stringContaining('wm-none'),
    ])
  })

  test('break a load, and check if it arrived', async ({ skip }) => {
    if (served.mode === 'production') skip()
    const drill = async (drillOptions: object) =>
      (await call('drill', drillOptions)).content[0].text
    const [undisturbed, broken] = JSON.parse(
      await drill({ pathname: '/', fault: 'data:reset' }),
    ) as Record<string, unknown>[]
    expect(undisturbed).toMatchObject({ fault: 'none', outcome: 'arrived' })
    expect(broken).toMatchObject({ pathname: '/', fault: 'data:reset', outcome: 'arrived' })
    expect(await drill({ pathname: '/', fault: 'data:hagn' })).toContain('no fault data:hagn')
    expect(await drill({ pathname: '//evil.test', fault: 'data:hang' })).toContain(
      'is not a pathname',
    )
  })

  test('must be on this machine, and pages of other sites get nothing', async ({ skip }) => {
    if (served.mode === 'production') skip()
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
    expect((await send(ping)).status).toBe(200)
    for (const foreign of [{ origin: 'http://evil.test' }, { 'sec-fetch-site': 'cross-site' }]) {
      expect((await send(ping, foreign)).status).toBe(403)
    }
    expect((await send(ping, { 'content-type': 'text/plain' })).status).toBe(415)
    expect((await send({ ...ping, params: { text: 'x'.repeat(300_000) } })).status).toBe(413)
    expect((await served.fetch(endpoint)).status).toBe(405)
    const rebound = await rawRequest(served.app.origin, endpoint, {
      headers: { host: 'evil.test' },
    })
    expect(rebound.status).toBe(403)
  })
})
