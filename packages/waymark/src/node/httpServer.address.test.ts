import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import type { ServerRequest } from '../http/response.ts'
import { createNodeServer } from './httpServer.ts'
import { until } from './testing/servers.ts'

test('the address of a client is known after it has left', async () => {
  const addresses: unknown[] = []
  const handle = async (request: ServerRequest) => {
    await until(() => request.signal.aborted)
    addresses.push(request.remoteAddress, request.forwardedFor)
    return { status: 200, headers: [], body: null }
  }
  const server = createNodeServer({ handle, port: 0, host: '127.0.0.1', drainTimeoutMs: 100 })
  const { port } = await server.listen()
  onTestFinished(async () => void (await server.close({ isHurried: true })))
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  socket.write('GET / HTTP/1.1\r\nHost: a.test\r\n\r\n', () => socket.resetAndDestroy())
  await until(() => addresses.length > 0)
  expect(addresses).toEqual(['127.0.0.1', '127.0.0.1'])
})

test.each([
  [false, 'X-Forwarded-For: 10.0.0.1', '127.0.0.1'],
  [
    ['127.0.0.1'],
    'X-Forwarded-For: 203.0.113.7, 198.51.100.2',
    '203.0.113.7, 198.51.100.2, 127.0.0.1',
  ],
  [['127.0.0.1'], 'X-Other: 1', '127.0.0.1'],
  [true, 'X-Forwarded-For: 203.0.113.7', '203.0.113.7, 127.0.0.1'],
])('with trustProxy %j and %s, the forwarded address is %s', async (trustProxy, line, expected) => {
  let forwardedFor: unknown
  const handle = (request: ServerRequest) => {
    forwardedFor = request.forwardedFor
    return { status: 200, headers: [], body: null }
  }
  const server = createNodeServer({ handle, trustProxy, port: 0, host: '127.0.0.1' })
  const { port } = await server.listen()
  onTestFinished(async () => void (await server.close({ isHurried: true })))
  const socket = connect(port, '127.0.0.1')
  socket.write(`GET / HTTP/1.1\r\nHost: a.test\r\n${line}\r\nConnection: close\r\n\r\n`)
  await until(() => forwardedFor !== undefined)
  expect(forwardedFor).toBe(expected)
})
