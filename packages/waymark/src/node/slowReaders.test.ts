import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createRequestListener, createWaitingResponses } from './listener.ts'
import { exchange, requestText, until } from './testing/servers.ts'

test('the responses that wait longest are cut if all of them together take too much', () => {
  const waiting = createWaitingResponses(1_000)
  const responses = Array.from({ length: 5 }, () => fakeResponse(300))
  for (const { res } of responses) waiting.add(res)
  expect(responses.map(({ isCut }) => isCut())).toEqual([true, true, false, false, false])
  expect(waiting.bytes()).toBe(900)
  responses[2]?.end()
  expect(waiting.bytes()).toBe(600)
  waiting.add(fakeResponse(0).res)
  expect(waiting.bytes()).toBe(600)
})

function fakeResponse(writableLength: number) {
  let isCut = false
  const listeners: (() => void)[] = []
  const res = {
    writableFinished: false,
    destroyed: false,
    writableLength,
    once(_: string, listener: () => void) {
      listeners.push(listener)
      return res
    },
    destroy() {
      isCut = true
    },
  }
  const end = () => {
    for (const listener of listeners) listener()
  }
  return { res: res as unknown as ServerResponse, isCut: () => isCut, end }
}

test('1,200 slow readers of a page take no more memory than the limit, and others are served', async () => {
  const page = () => `${Math.random()}${'x'.repeat(400_000)}`
  const maxWaitingBytes = 20_000_000
  const listener = createRequestListener({
    handle: async () => ({ status: 200, headers: [], body: page() }),
    maxRunning: 1_000,
    maxWaitingBytes,
    logger: { error() {} },
  })
  // Replace `write` so that sockets accept none of the page's 400 kB, because Node can't make send buffers small.
  const server = createServer(listener)
  const readers = 1_200
  let connections = 0
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    if (connections++ < readers) holdBack(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', 2_000, resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const clients = Array.from({ length: readers }, () => {
    const socket = connect(port, '127.0.0.1', () => socket.write(requestText('GET', '/')))
    socket.pause()
    socket.on('error', () => {})
    return socket
  })
  onTestFinished(() => clients.forEach((socket) => void socket.destroy()))
  await until(() => sockets.size < 100)
  const waiting = [...sockets].reduce((bytes, { writableLength }) => bytes + writableLength, 0)
  expect(waiting).toBeLessThanOrEqual(maxWaitingBytes)
  const response = await exchange(port, requestText('GET', '/', ['Connection: close']), 2_000)
  expect(response.length).toBeGreaterThan(400_000)
})

/** Accepts bytes for a socket and never reports that they were sent, as with a full send buffer. */
function holdBack(socket: Socket): void {
  socket._write = () => {}
  socket._writev = () => {}
}
