import { describe, expect, it, onTestFinished } from 'vitest'
import type { HandlerResponse } from '../shared/response.ts'
import { createNodeServer, type NodeServerOptions } from './httpServer.ts'
import { send } from './testing/files.ts'

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

describe('what is refused before anything is asked', () => {
  it.each(['TRACE', 'TRACK', 'CONNECT'])('%s: no Request can have it', async (method) => {
    let asked = 0
    const handle = async () => {
      asked++
      return text('handled')
    }
    const { port, errors } = await start({ handle })
    const target = method === 'CONNECT' ? 'a.test:443' : '/'
    const answer = await send(port, target, [], method)
    expect([answer.status, answer.headers.get('allow')]).toEqual([
      405,
      'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
    ])
    expect([asked, errors]).toEqual([0, []])
  })
})

describe('a server whose own code fails', () => {
  it('answers 500, says so, and goes on', async () => {
    const handle = async ({ target }: { readonly target: string }) => {
      if (target === '/bug') throw new Error('a bug')
      return text(target)
    }
    const { port, errors } = await start({ handle })
    expect((await send(port, '/bug')).status).toBe(500)
    expect(errors).toEqual(['GET /bug could not be answered: Error: a bug'])
    expect((await send(port, '/')).status).toBe(200)
  })
})
