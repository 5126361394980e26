import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import type { HandlerResponse } from '../http/response.ts'
import { createRequestListener, type ListenerOptions } from './listener.ts'
import type { Shedding, WaitingRequest } from './loadShedding.ts'
import { exchange, requestText, send, startServer, until } from './testing/servers.ts'

const text = (body: string): HandlerResponse => ({ status: 200, headers: [], body })

describe('an overloaded server', () => {
  /** A server that lets all requests wait, or refuses all. */
  async function startBusy(decision: 'wait' | 'refuse', options: Partial<ListenerOptions> = {}) {
    const waiting: WaitingRequest[] = []
    const shedding: Shedding = {
      admit: () => decision,
      wait: (request) => waiting.push(request),
      track() {},
      accepted() {},
      refused() {},
      counts: () => ({ waitingRequests: waiting.length, refusedRequests: 0 }),
    }
    const logger = { error() {} }
    const handle = async () => text('handled')
    const port = await startServer(createRequestListener({ handle, shedding, logger, ...options }))
    return { port, waiting }
  }

  it('refuses no health check', async () => {
    const { port } = await startBusy('refuse')
    expect((await send(port, '/')).status).toBe(503)
    for (const target of ['/_waymark/health/live', '/_waymark/health/ready']) {
      expect((await send(port, target)).status).toBe(200)
    }
  })

  it('knows that the client of a waiting request has left', async () => {
    const { port, waiting } = await startBusy('wait')
    const client = connect(port, '127.0.0.1', () => client.write(requestText('GET', '/')))
    await until(() => waiting.length === 1)
    expect(waiting[0]?.isGone()).toBe(false)
    client.destroy()
    await until(() => waiting[0]?.isGone() === true)
  })

  it('closes the connection of a request that waited until the server shut down', async () => {
    let isClosing = false
    const { port, waiting } = await startBusy('wait', {
      isClosing: () => isClosing,
      handle: () => text('built'),
      staticFiles: {
        serve: () => false,
        writeCached: (_req, res) => Boolean(res.end('built')),
        findBuilt: () => null,
        hasNotFound: false,
        hasFile: () => false,
        cachedBytes: () => 0,
      },
    })
    const answer = exchange(port, requestText('GET', '/'))
    await until(() => waiting.length === 1)
    isClosing = true
    waiting[0]?.run()
    expect(await answer).toContain('Connection: close')
  })
})
