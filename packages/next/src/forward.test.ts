import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, onTestFinished, test } from 'vitest'
import { endToEnd, forward } from './forward.ts'

test('headers of the connection stay with it, and so do those that it names', () => {
  const headers = new Headers({
    accept: 'text/plain',
    connection: 'close, X-Mine',
    expect: '100-continue',
    'keep-alive': 'timeout=5',
    'proxy-authorization': 'Basic x',
    te: 'trailers',
    trailer: 'x-sum',
    'transfer-encoding': 'chunked',
    upgrade: 'h2c',
    'x-mine': '1',
    'x-other': '2',
  })
  expect([...endToEnd(headers)]).toEqual([
    ['accept', 'text/plain'],
    ['x-other', '2'],
  ])
})

async function startUpstream(listener: RequestListener): Promise<string> {
  const upstream = createServer(listener)
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    upstream.closeAllConnections()
    upstream.close()
  })
  return `http://127.0.0.1:${(upstream.address() as AddressInfo).port}/`
}

test('a body is not kept while it goes on', async () => {
  let received = 0
  const upstream = await startUpstream((req) => {
    req.on('data', (piece: Buffer) => {
      received += piece.length
    })
  })
  const sent: WeakRef<Uint8Array>[] = []
  const body = new ReadableStream({
    pull(controller) {
      // It does not end.
      if (sent.length === 1_000) return
      const piece = new Uint8Array(1_000)
      sent.push(new WeakRef(piece))
      controller.enqueue(piece)
    },
  })
  const client = new AbortController()
  const init = { method: 'POST', body, duplex: 'half', signal: client.signal } as RequestInit
  const forwarding = forward(upstream, new Request('http://localhost/', init))
  await expect.poll(() => received).toBe(1_000_000)
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  expect(sent.filter((piece) => piece.deref()).length).toBeLessThan(200)
  client.abort()
  expect((await forwarding).status).toBe(499)
})

test('a client that leaves is no failure of the app', async () => {
  const upstream = await startUpstream(() => {})
  const client = new AbortController()
  const forwarding = forward(upstream, new Request('http://localhost/', { signal: client.signal }))
  setTimeout(() => client.abort(), 50)
  expect((await forwarding).status).toBe(499)
})
