import type { ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Handle, Upgrade } from '../http/response.ts'
import { createNodeServer, type ServerLimits } from './httpServer.ts'
import { exchange, requestText, until } from './testing/servers.ts'

async function listen(handle: Handle, limits: ServerLimits = {}, drainTimeoutMs = 200) {
  const errors: unknown[] = []
  const logger = { error: (_: string, error: unknown) => errors.push(error) }
  const server = createNodeServer({
    handle,
    limits,
    logger,
    drainTimeoutMs,
    port: 0,
    host: '127.0.0.1',
  })
  const { port } = await server.listen()
  onTestFinished(async () => void (await server.close({ isHurried: true })))
  return { server, port, errors }
}

const offer = (protocol: string, lines: readonly string[] = []) => [
  'Connection: Upgrade',
  `Upgrade: ${protocol}`,
  ...lines,
]

const hello: Handle = () => ({ status: 200, headers: [], body: 'hello' })

/** Responds with a socket that echoes what it receives. */
function createEcho() {
  const sockets: Socket[] = []
  let ends = 0
  const upgrade: Upgrade = {
    take(raw, headers) {
      const res = raw as ServerResponse
      const socket = res.socket as Socket
      res.detachSocket(socket)
      sockets.push(socket)
      socket.write(`HTTP/1.1 101 Switching Protocols\r\n${headers.map(String)}\r\n\r\n`)
      socket.pipe(socket)
      return new Promise((resolve) => socket.once('close', () => resolve()))
    },
    end: () => void ends++,
  }
  const handle: Handle = () => ({ status: 426, headers: [['x-own', 'yes']], body: null, upgrade })
  return { sockets, handle, ends: () => ends }
}

function open(port: number, after = '') {
  const received: string[] = []
  let isClosed = false
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.on('data', (bytes) => received.push(bytes.toString()))
  socket.on('error', () => {})
  socket.on('close', () => {
    isClosed = true
  })
  socket.write(requestText('GET', '/socket', offer('WebSocket')) + after)
  return { socket, received: () => received.join(''), isClosed: () => isClosed }
}

describe('a request for a WebSocket', () => {
  it('is handled like any other if the response does not take the connection over', async () => {
    const { port } = await listen(hello)
    const response = await exchange(port, requestText('GET', '/', offer('websocket')))
    expect(response).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    expect(response).toMatch(/connection: close\r\n/i)
    expect(response).toMatch(/\r\n\r\nhello$/)
  })

  it('gets a large body at the speed of its client', async () => {
    const piece = Buffer.alloc(200_000, 'x')
    const body = async function* () {
      for (let count = 0; count < 20; count++) yield piece
    }
    const { port } = await listen(() => ({ status: 200, headers: [], body: body() }))
    const response = await exchange(port, requestText('GET', '/', offer('websocket')))
    expect(response.length).toBeGreaterThan(4_000_000)
    expect(response).toMatch(/0\r\n\r\n$/)
  })

  it('gives its connection away, with all bytes that have arrived', async () => {
    const { handle } = createEcho()
    const { port } = await listen(handle)
    const { socket, received } = open(port, 'early ')
    await until(() => received().endsWith('early '))
    expect(received()).toMatch(/^HTTP\/1\.1 101 [^\r]+\r\nx-own,yes\r\n\r\nearly $/)
    socket.write('late')
    await until(() => received().endsWith('early late'))
  })

  it('has the time limit of its head if the handler does not end', async () => {
    const { port } = await listen(() => new Promise(() => {}), { headersTimeoutMs: 100 })
    const { isClosed, received } = open(port)
    await until(isClosed)
    expect(received()).toBe('')
  })

  it('does not end the process if its client leaves early', async () => {
    let respond = () => {}
    const waiting = new Promise<void>((resolve) => {
      respond = resolve
    })
    const { sockets, handle } = createEcho()
    const { port, errors } = await listen(async (request) => {
      await waiting
      return handle(request)
    })
    const { socket, isClosed } = open(port)
    await until(() => socket.bytesWritten > 0)
    socket.resetAndDestroy()
    await until(isClosed)
    respond()
    await until(() => sockets.length === 1)
    await until(() => sockets[0]?.destroyed === true)
    expect(errors).toEqual([])
  })
})

describe('connections that were given away, when the server ends', () => {
  it('are told, and awaited', async () => {
    const { sockets, handle, ends } = createEcho()
    const { port, server } = await listen(handle, {}, 5_000)
    open(port)
    await until(() => sockets.length === 1)
    const closing = server.close()
    expect(ends()).toBe(1)
    sockets[0]?.end()
    open(port).socket.destroy()
    sockets[0]?.destroy()
    expect(await closing).toEqual({ outcome: 'drained' })
  })

  it('are cut at the deadline', async () => {
    const { sockets, handle } = createEcho()
    const { port, server } = await listen(handle)
    const { isClosed } = open(port)
    await until(() => sockets.length === 1)
    expect(await server.close()).toEqual({ outcome: 'cut' })
    await until(isClosed)
  })
})

describe('an offer of another protocol', () => {
  const echo: Handle = async (request) => {
    const body = await request.toRequest().text()
    return { status: 200, headers: [['x-method', request.method]], body: `got ${body}` }
  }

  it('is ignored, and the request is read with its body', async () => {
    const { port } = await listen(echo)
    const lines = offer('h2c', ['HTTP2-Settings: AAMAAABk', 'Content-Length: 5'])
    const response = await exchange(port, `${requestText('POST', '/form', lines)}hello`)
    expect(response).toMatch(/^HTTP\/1\.1 200 OK\r\nx-method: POST\r\n/)
    expect(response).toMatch(/got hello$/)
  })

  it('may be repeated on the same connection', async () => {
    const { port } = await listen(echo)
    const warnings: Error[] = []
    const onWarning = (warning: Error) => warnings.push(warning)
    process.on('warning', onWarning)
    onTestFinished(() => void process.off('warning', onWarning))
    const socket = connect(port, '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    let received = ''
    socket.on('data', (bytes) => {
      received += bytes
    })
    for (let count = 1; count <= 30; count++) {
      socket.write(`${requestText('POST', '/form', offer('h2c', ['Content-Length: 3']))}one`)
      await until(() => received.match(/got one/g)?.length === count)
    }
    expect(warnings).toEqual([])
  })
})

describe('a request for a WebSocket before the response to an earlier request', () => {
  it('ends the connection', async () => {
    const { port, errors } = await listen(() => new Promise(() => {}))
    const text = requestText('GET', '/slow') + requestText('GET', '/', offer('websocket'))
    const startedAtMs = Date.now()
    expect(await exchange(port, text)).toBe('')
    expect(Date.now() - startedAtMs).toBeLessThan(5_000)
    expect(errors).toEqual([])
  })
})
