import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, test, vi } from 'vitest'
import type { HandlerResponse, ServerRequest } from '../http/response.ts'
import { createNodeServer, type NodeServerOptions } from './httpServer.ts'
import { createRequestSlots } from './listener.ts'
import { send } from './testing/servers.ts'

const text = (body: string): HandlerResponse => ({ status: 200, headers: [], body })

async function start(options: Partial<NodeServerOptions>) {
  const errors: string[] = []
  const server = createNodeServer({
    handle: async ({ target }) => text(target),
    port: 0,
    host: '127.0.0.1',
    logger: { error: (message, error) => errors.push(`${message}: ${error}`) },
    drainTimeoutMs: 100,
    ...options,
  })
  const { port } = await server.listen()
  onTestFinished(async () => void (await server.close()))
  return { port, errors }
}

describe('requests that are refused before any other code runs', () => {
  it.each(['TRACE', 'TRACK', 'CONNECT'])('%s, which no Request can have', async (method) => {
    let calls = 0
    const handle = async () => {
      calls++
      return text('handled')
    }
    const { port, errors } = await start({ handle })
    const target = method === 'CONNECT' ? 'a.test:443' : '/'
    const answer = await send(port, target, [], method)
    expect([answer.status, answer.headers.get('allow')]).toEqual([
      405,
      'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
    ])
    expect([calls, errors]).toEqual([0, []])
  })
})

describe('a server whose own code fails', () => {
  it('responds with 500, logs it, and continues', async () => {
    const handle = async ({ target }: { readonly target: string }) => {
      if (target === '/bug') throw new Error('a bug')
      return text(target)
    }
    const { port, errors } = await start({ handle })
    expect((await send(port, '/bug')).status).toBe(500)
    expect(errors).toEqual(['GET /bug failed: Error: a bug'])
    expect((await send(port, '/')).status).toBe(200)
  })
})

describe('a server without free slots', () => {
  const begin = 'POST / HTTP/1.1\r\nhost: a.test\r\ncontent-length: 2\r\n\r\na'

  it('cuts the oldest request whose body has not arrived, in favour of a complete one', async () => {
    let running = 0
    const handle = async (request: ServerRequest) => {
      running++
      await new Promise<void>((resolve) => {
        request.openBody?.().listen({ piece() {}, end: resolve, fail: resolve })
      })
      return text('handled')
    }
    const { port } = await start({ handle, limits: { maxRunning: 2 } })
    const slow = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')]
    for (const [at, socket] of slow.entries()) {
      socket.on('error', () => {}).write(begin)
      await vi.waitFor(() => expect(running).toBe(at + 1))
    }
    expect((await send(port, '/')).status).toBe(200)
    await vi.waitFor(() => expect(slow.map(({ closed }) => closed)).toEqual([true, false]))
    slow[1]?.end('b')
    const read = await new Promise((resolve) => slow[1]?.once('data', resolve))
    expect(String(read)).toMatch(/^HTTP\/1\.1 200/)
  })

  it('refuses further requests if all running ones are complete', async () => {
    const handle = () => new Promise<HandlerResponse>(() => {})
    const { port } = await start({ handle, limits: { maxRunning: 2 } })
    const sockets = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')]
    for (const socket of sockets) socket.on('error', () => {}).write(`${begin}b`)
    await vi.waitFor(async () => expect((await send(port, '/')).status).toBe(503))
    expect(sockets.map(({ closed }) => closed)).toEqual([false, false])
    for (const socket of sockets) socket.destroy()
  })
})

const response = (complete = true) =>
  Object.assign(new EventEmitter(), { req: { complete } }) as ServerResponse

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('the slots of requests', () => {
  const twoSlots = () => createRequestSlots({ max: 2, graceMs: 1_000, now: Date.now })

  test('are released when their handlers are done', () => {
    const slots = twoSlots()
    const ends = [slots.take(response()), slots.take(response())]
    expect([slots.isFull(), slots.counts().runningRequests]).toEqual([true, 2])
    for (const end of ends) end()
    expect([slots.isFull(), slots.counts().runningRequests]).toEqual([false, 0])
  })

  test('are released some time after the response closed, even if the handler still runs', () => {
    const slots = twoSlots()
    const closed = response()
    const end = slots.take(closed)
    slots.take(response())
    closed.emit('close')
    vi.advanceTimersByTime(999)
    expect(slots.counts()).toEqual({ runningRequests: 2, abandonedRequests: 0 })
    vi.advanceTimersByTime(1)
    expect(slots.counts()).toEqual({ runningRequests: 1, abandonedRequests: 1 })
    end()
    expect(slots.counts()).toEqual({ runningRequests: 1, abandonedRequests: 0 })
  })

  test('are released once', () => {
    const slots = twoSlots()
    const closed = response()
    const end = slots.take(closed)
    closed.emit('close')
    end()
    vi.advanceTimersByTime(10_000)
    expect(slots.counts()).toEqual({ runningRequests: 0, abandonedRequests: 0 })
    const other = response()
    slots.take(other)()
    other.emit('close')
    vi.advanceTimersByTime(10_000)
    expect(slots.counts()).toEqual({ runningRequests: 0, abandonedRequests: 0 })
  })

  test('report for how long none has been free', () => {
    const slots = twoSlots()
    slots.take(response())
    vi.advanceTimersByTime(5_000)
    expect(slots.fullForMs()).toBe(0)
    const end = slots.take(response())
    vi.advanceTimersByTime(5_000)
    expect(slots.fullForMs()).toBe(5_000)
    end()
    expect(slots.fullForMs()).toBe(0)
    // The slow request is cut to make room for others.
    const endSlow = slots.take(response(false))
    vi.advanceTimersByTime(5_000)
    expect([slots.isFull(), slots.fullForMs()]).toEqual([true, 0])
    endSlow()
    slots.take(response())
    expect(slots.fullForMs()).toBe(0)
  })
})
