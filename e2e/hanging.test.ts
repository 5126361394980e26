import { connect, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { describeModes, type Served } from './harness/describeModes.ts'

type Health = { runningRequests: number; abandonedRequests: number }

const bot = { 'user-agent': 'Googlebot' }
const settle = { 'waymark-final-status': '1' }

describeModes('handlers that never end', { app: 'hanging', modes: ['production'] }, (served) => {
  test.each<[what: string, path: string, headers: Record<string, string>]>([
    ['a page, for its data', '/_waymark/data/in-page.rsc', {}],
    ['a page, for its data, asked again', '/_waymark/data/in-page.rsc', settle],
    ['a layout, for its data', '/_waymark/data/in-layout.rsc', {}],
    ['metadata, for its data', '/_waymark/data/in-metadata.rsc', {}],
    ['metadata, for its data, asked again', '/_waymark/data/in-metadata.rsc', settle],
    ['a cached function, for its data', '/_waymark/data/in-cached.rsc', {}],
    ['a part of a page', '/in-part', {}],
    ['a part of a page, for a crawler', '/in-part', bot],
    ['a stream of a route handler', '/api/stream', {}],
    ['after()', '/api/after', {}],
  ])(
    '%s: the client gets a status, and everything ends when the client leaves',
    async (_, path, headers) => {
      const { status, leave } = await open(served, path, { headers })
      expect(await status).toBe(200)
      leave()
      await expect.poll(() => healthOf(served)).toMatchObject({ runningRequests: 0 })
    },
  )

  // Requests for these pages get no bytes, not even a loading screen.
  test.each<[what: string, path: string, headers: Record<string, string>]>([
    ['a page', '/in-page', {}],
    ['a page, for a crawler', '/in-page', bot],
    ['a layout', '/in-layout', {}],
    ['a layout, for data that is asked for again', '/_waymark/data/in-layout.rsc', settle],
    ['metadata', '/in-metadata', {}],
    ['a cached function', '/in-cached', {}],
    ['a cached function, for a crawler', '/in-cached', bot],
  ])('%s: everything ends when the client leaves', async (_, path, headers) => {
    const before = await healthOf(served)
    const { leave } = await open(served, path, { headers })
    await expect.poll(() => healthOf(served)).toMatchObject({ runningRequests: 1 })
    leave()
    await expect.poll(() => healthOf(served), { timeout: 900 }).toEqual(before)
  })

  test.each([
    ['a route handler', '/api/handler'],
    ['proxy.ts', '/in-proxy'],
  ])('%s: the slot of its request is freed when the client leaves', async (_, path) => {
    const { abandonedRequests: before } = await healthOf(served)
    const { leave } = await open(served, path)
    await expect.poll(() => healthOf(served)).toMatchObject({ runningRequests: 1 })
    leave()
    await expect
      .poll(() => healthOf(served))
      .toMatchObject({ runningRequests: 0, abandonedRequests: before + 1 })
    expect((await served.fetch('/')).status).toBe(200)
  })

  test('with all slots taken, the server says so, and serves again once the clients have left', async () => {
    const { abandonedRequests: before } = await healthOf(served)
    const clients: Awaited<ReturnType<typeof open>>[] = []
    // Open the connections in groups, because all at once would exceed the server's backlog.
    while (clients.length < 1_000) {
      const more = Array.from({ length: 50 }, () => open(served, '/api/handler'))
      clients.push(...(await Promise.all(more)))
      await expect.poll(() => healthOf(served)).toMatchObject({ runningRequests: clients.length })
    }
    expect((await served.fetch('/')).status).toBe(503)
    const ready = async () => (await served.fetch('/_waymark/health/ready')).status
    expect(await ready()).toBe(200)
    await expect.poll(ready).toBe(503)
    for (const { leave } of clients) leave()
    await expect.poll(async () => (await served.fetch('/')).status).toBe(200)
    expect(await ready()).toBe(200)
    await expect
      .poll(() => healthOf(served))
      .toMatchObject({ runningRequests: 0, abandonedRequests: before + 1_000 })
  })

  test('an action: the form gets the status of its deadline', async () => {
    const html = await (await served.fetch('/in-action')).text()
    const fields = [...html.matchAll(/<input type="hidden" name="([^"]+)"(?: value="([^"]*)")?/g)]
    const body = new FormData()
    for (const [, name = '', value = ''] of fields) body.append(name, value)
    const answer = await served.fetch('/in-action', { method: 'POST', body })
    expect(answer.status).toBe(504)
    await answer.body?.cancel()
    await expect.poll(() => healthOf(served)).toMatchObject({ runningRequests: 0 })
  })
})

async function healthOf(served: Served): Promise<Health> {
  const answer = await served.fetch('/_waymark/health/live')
  return (await answer.json()) as Health
}

/**
 * Sends a request.
 * @returns the response's status, and a function that closes the connection
 */
async function open(
  served: Served,
  path: string,
  { headers = {} }: { headers?: Record<string, string> } = {},
): Promise<{ status: Promise<number>; leave(): void }> {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const socket = await new Promise<Socket>((resolve, reject) => {
    const opened = connect(served.app.port, 'localhost', () => resolve(opened))
    opened.once('error', reject)
  })
  const { host } = new URL(served.app.origin)
  socket.write(`GET ${path} HTTP/1.1\r\nhost: ${host}\r\n${lines.join('')}\r\n`)
  const status = new Promise<number>((resolve, reject) => {
    socket.once('data', (bytes) => resolve(Number(bytes.toString('latin1').slice(9, 12))))
    socket.setTimeout(8_000, () => reject(new Error('no answer within 8 s')))
    socket.on('error', () => {})
  })
  status.catch(() => {})
  return { status, leave: () => socket.destroy() }
}
