import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
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

test('a client that leaves is no failure of the app', async () => {
  const upstream = createServer(() => {})
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    upstream.closeAllConnections()
    upstream.close()
  })
  const { port } = upstream.address() as AddressInfo
  const client = new AbortController()
  const forwarding = forward(
    `http://127.0.0.1:${port}/`,
    new Request('http://localhost/', { signal: client.signal }),
  )
  setTimeout(() => client.abort(), 50)
  expect((await forwarding).status).toBe(499)
})
