import { connect } from 'node:net'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createNodeServer, type NodeServerOptions } from './httpServer.ts'
import { exchange, requestText, send, until } from './testing/servers.ts'

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

const slow = { timeout: 5_000 }
const noCounts = {
  runningRequests: 0,
  abandonedRequests: 0,
  waitingRequests: 0,
  refusedRequests: 0,
  uncaughtExceptions: 0,
}

async function start(options: Partial<NodeServerOptions> = {}) {
  const server = createNodeServer({
    handle: async ({ target }) => ({ status: 200, headers: [], body: `handler ${target}` }),
    port: 0,
    host: '127.0.0.1',
    drainTimeoutMs: 100,
    ...options,
  })
  const { port } = await server.listen()
  onTestFinished(async () => {
    await server.close({ isHurried: true })
  })
  return { port, server }
}

describe('health', () => {
  it.each([
    ['/_waymark/health/live', 'live'],
    ['/_waymark/health/ready', 'ready'],
    ['/_waymark/health/ready?probe=1', 'ready'],
  ])('reports at %s that the server is healthy', async (target, status) => {
    const { port } = await start()
    const answer = await send(port, target)
    expect(answer.status).toBe(200)
    expect(JSON.parse(answer.body)).toEqual({ status, ...noCounts })
    expect(answer.headers.get('content-type')).toBe('application/json')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(await send(port, target, [], 'HEAD')).toMatchObject({ status: 200, body: '' })
    expect(await send(port, target, ['content-length: 0'], 'POST')).toMatchObject({ status: 405 })
  })

  it('leaves other paths to the handler', async () => {
    const { port } = await start()
    const target = '/_waymark/health/readyness'
    expect((await send(port, target)).body).toBe(`handler ${target}`)
  })

  it('is independent of the limit on running requests', async () => {
    const limits = { maxRunning: 0 }
    const { port } = await start({ limits })
    expect((await send(port, '/a')).status).toBe(503)
    expect((await send(port, '/_waymark/health/ready')).status).toBe(200)
  })

  it('is not ready if no slot has been free for five seconds', async () => {
    let passedMs = 0
    const now = performance.now.bind(performance)
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + passedMs)
    onTestFinished(() => clock.mockRestore())
    const { port } = await start({ limits: { maxRunning: 1 }, handle: () => new Promise(() => {}) })
    const holder = connect(port, '127.0.0.1', () => holder.write(requestText('GET', '/held')))
    onTestFinished(() => void holder.destroy())
    const running = async () => JSON.parse((await send(port, '/_waymark/health/live')).body)
    await expect.poll(running).toMatchObject({ runningRequests: 1 })
    expect((await send(port, '/other')).status).toBe(503)
    expect((await send(port, '/_waymark/health/ready')).status).toBe(200)
    passedMs = 6_000
    expect((await send(port, '/_waymark/health/ready')).status).toBe(503)
    expect((await send(port, '/_waymark/health/live')).status).toBe(200)
    holder.destroy()
    await expect
      .poll(async () => (await send(port, '/_waymark/health/ready')).status, slow)
      .toBe(200)
    expect(await running()).toMatchObject({ runningRequests: 0, abandonedRequests: 1 })
  })

  it('reports the number of uncaught exceptions', async () => {
    const { port } = await start({ uncaughtExceptions: () => 3 })
    const { body } = await send(port, '/_waymark/health/live')
    expect(JSON.parse(body)).toEqual({ status: 'live', ...noCounts, uncaughtExceptions: 3 })
  })

  it('is not ready before the program that starts the server says so', async () => {
    let isStarted = false
    const { port } = await start({ isReady: () => isStarted })
    const unready = await send(port, '/_waymark/health/ready')
    expect([unready.status, JSON.parse(unready.body)]).toEqual([
      503,
      { status: 'unready', ...noCounts },
    ])
    expect((await send(port, '/_waymark/health/live')).status).toBe(200)
    isStarted = true
    expect((await send(port, '/_waymark/health/ready')).status).toBe(200)
  })
})

describe('a server that is closed with a delay', () => {
  it('still responds, and reports that it is not ready, before it stops accepting', async () => {
    const { port, server } = await start({ drainDelayMs: 1000 })
    const closing = server.close()
    expect((await send(port, '/_waymark/health/ready')).status).toBe(503)
    expect(await send(port, '/page')).toMatchObject({ status: 200, body: 'handler /page' })
    expect(await closing).toEqual({ outcome: 'drained' })
    expect(await exchange(port, requestText('GET', '/page'))).toBe('')
  })

  it('lets a request that began during the delay end', async () => {
    const { port, server } = await start({
      drainDelayMs: 500,
      drainTimeoutMs: 10_000,
      async handle() {
        await wait(700)
        return { status: 200, headers: [], body: 'late' }
      },
    })
    const closing = server.close()
    const answer = send(port, '/slow')
    expect((await answer).body).toBe('late')
    expect(await closing).toEqual({ outcome: 'drained' })
  })

  it('skips the delay if it is hurried', async () => {
    const { server } = await start({ drainDelayMs: 60_000 })
    let isClosed = false
    void server.close({ isHurried: true }).then(() => {
      isClosed = true
    })
    await until(() => isClosed)
  })
})
