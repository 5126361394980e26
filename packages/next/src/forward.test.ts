import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, onTestFinished, test } from 'vitest'
import { endToEnd, forward as forwardTo, outgoingHeaders, receivedHeaders } from './forward.ts'

const context = { forwardedFor: '203.0.113.7', remoteAddress: '203.0.113.7' }

function forward(target: string, request: Request) {
  return forwardTo(target, { request, received: receivedHeaders(request.headers), context })
}

test('hop-by-hop headers are not forwarded, including those that Connection names', () => {
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

test('a forwarded body is not buffered', async () => {
  let received = 0
  const upstream = await startUpstream((req) => {
    req.on('data', (piece: Buffer) => {
      received += piece.length
    })
  })
  const sent: WeakRef<Uint8Array>[] = []
  const body = new ReadableStream({
    pull(controller) {
      // Send a body that never ends.
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

test('a client that leaves is not reported as an error', async () => {
  const upstream = await startUpstream(() => {})
  const client = new AbortController()
  const forwarding = forward(upstream, new Request('http://localhost/', { signal: client.signal }))
  setTimeout(() => client.abort(), 50)
  expect((await forwarding).status).toBe(499)
})

const forged = {
  forwarded: 'for=1.1.1.1;host=evil.example',
  'x-forwarded-for': '10.0.0.1',
  'x-forwarded-host': 'evil.example',
  'x-forwarded-port': '1',
  'x-forwarded-prefix': '/admin',
  'x-forwarded-proto': 'gopher',
  'x-forwarded-server': 'evil.example',
  'x-real-ip': '10.0.0.1',
}

const peerHeaders = {
  'x-forwarded-for': '203.0.113.7',
  'x-forwarded-host': 'app.test:3000',
  'x-forwarded-proto': 'https',
  'x-real-ip': '203.0.113.7',
}

function outgoing(sent: HeadersInit, change?: (headers: Headers) => void) {
  const request = new Request('https://app.test:3000/', { headers: sent })
  const received = receivedHeaders(request.headers)
  const headers = change && new Headers(received)
  if (headers) change(headers)
  return Object.fromEntries(outgoingHeaders({ request, received, headers, context }))
}

test('forwarding headers from a client are not passed on', () => {
  expect(outgoing({ accept: '*/*', ...forged })).toEqual({ accept: '*/*', ...peerHeaders })
  expect(outgoing({ accept: '*/*', ...forged }, () => {})).toEqual({
    accept: '*/*',
    ...peerHeaders,
  })
})

test("forwarding headers that the app's proxy sets are passed on", () => {
  const set = { 'x-forwarded-prefix': '/docs', 'x-real-ip': '192.0.2.1' }
  const change = (headers: Headers) => {
    for (const [name, value] of Object.entries(set)) headers.set(name, value)
  }
  expect(outgoing(forged, change)).toEqual({ ...peerHeaders, ...set })
})

test('without a known address, no forwarding header is set', () => {
  const request = new Request('http://app.test/', { headers: forged })
  const nothing = { forwardedFor: null, remoteAddress: null }
  const sent = { request, received: receivedHeaders(request.headers), context: nothing }
  expect(Object.fromEntries(outgoingHeaders(sent))).toEqual({
    'x-forwarded-host': 'app.test',
    'x-forwarded-proto': 'http',
  })
})

test("a client can't have a header removed that the app's proxy sets", () => {
  const sent = { connection: 'close, x-role, cookie', cookie: 'a=b', 'x-role': 'admin' }
  const headers = outgoing(sent, (headers) => {
    expect([...headers.keys()]).toEqual([])
    headers.set('x-role', 'guest')
  })
  expect(headers).toEqual({ ...peerHeaders, 'x-role': 'guest' })
})
