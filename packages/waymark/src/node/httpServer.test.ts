import { request } from 'node:http'
import { connect } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { builtNotFound } from '../builds/cachedPage.ts'
import type { Handle, HandlerResponse } from '../http/response.ts'
import { temporaryFolder } from '../shared/testing/temporaryFolder.ts'
import { createNodeServer, type NodeServer, type NodeServerOptions } from './httpServer.ts'
import { loadStaticFiles } from './static/staticFiles.ts'
import { exchange, requestText, send, until } from './testing/servers.ts'

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const text = (body: string): HandlerResponse => ({ status: 200, headers: [], body })

type Started = { port: number; url: string; server: NodeServer; errors: string[] }

async function start(options: Partial<NodeServerOptions> = {}): Promise<Started> {
  const errors: string[] = []
  const server = createNodeServer({
    handle: async (request) => text(`${request.method} ${request.target}`),
    port: 0,
    host: '127.0.0.1',
    logger: { error: (message, error) => errors.push(`${message}: ${error}`) },
    drainTimeoutMs: 100,
    ...options,
  })
  const { port, url } = await server.listen()
  onTestFinished(async () => {
    await server.close()
  })
  return { port, url, server, errors }
}

/** Creates a handler that responds when the test tells it to. */
function holding(answer: HandlerResponse) {
  let requests = 0
  let release = () => {}
  return {
    requests: () => requests,
    release: () => release(),
    handle: () => {
      requests++
      return new Promise<HandlerResponse>((resolve) => {
        release = () => resolve(answer)
      })
    },
  }
}

describe('listen', () => {
  it('returns its address', async () => {
    const { port, url } = await start()
    expect(url).toBe(`http://127.0.0.1:${port}`)
    expect(await (await fetch(url)).text()).toBe('GET /')
  })

  it('reports a port that is taken', async () => {
    const { port } = await start()
    await expect(start({ port })).rejects.toThrow(`Port ${port} is used`)
  })

  it('says what to change if the address does not belong to this machine', async () => {
    const starting = start({ host: '192.0.2.1' })
    await expect(starting).rejects.toMatchObject({ code: 'NOT_LISTENING' })
    await expect(starting).rejects.toThrow(/EADDRNOTAVAIL.* Choose a different --host or --port\./)
  })
})

describe('a request', () => {
  it('is handled by a file first, then by the handler', async () => {
    const staticFiles = loadStaticFiles({ dirs: [temporaryFolder({ 'a.txt': 'file' })] })
    const { port } = await start({ staticFiles })
    expect((await send(port, '/a.txt')).body).toBe('file')
    expect((await send(port, '/b')).body).toBe('GET /b')
    expect((await send(port, 'http://b.test/a.txt')).body).toBe('file')
  })

  it('gets the prerendered 404 if the handler refers to it', async () => {
    const file = { file: '404.html', status: 404, headers: [] }
    const folder = temporaryFolder({
      'prerendered.json': JSON.stringify({ version: 1, files: {}, notFound: file }),
      '404.html': 'nothing here',
    })
    const staticFiles = loadStaticFiles({ dirs: [], prerendered: `${folder}/prerendered.json` })
    const headers: [string, string][] = [['x-added', '1']]
    const handle: Handle = async () => ({
      status: 404,
      headers,
      body: null,
      prerendered: builtNotFound,
    })
    const { port } = await start({ staticFiles, handle })
    const answer = await send(port, '/nope?x')
    expect([answer.status, answer.body]).toEqual([404, 'nothing here'])
    expect(answer.headers.get('x-added')).toBe('1')
  })

  it.each([
    ['a malformed host', 'GET / HTTP/1.1\r\nHost: a b\r\n\r\n', 400],
    ['two hosts', 'GET / HTTP/1.1\r\nHost: a\r\nhost: b\r\n\r\n', 400],
    ['no host', 'GET / HTTP/1.1\r\n\r\n', 400],
    ['a missing host in HTTP/1.0', 'GET / HTTP/1.0\r\n\r\n', 200],
    ['a target without a path', 'OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n', 400],
    ['noise', '\x16\x03\x01\x02\r\n\r\n', 400],
    ['a broken header', 'GET / HTTP/1.1\r\nHost: a\r\n: x\r\n\r\n', 400],
    [
      'two lengths',
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
      400,
    ],
    [
      'a length and chunks',
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    ['a head of 20 KB', `GET / HTTP/1.1\r\nHost: a\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`, 431],
    ['an unknown method', 'BREW / HTTP/1.1\r\nHost: a\r\n\r\n', 405],
    ['CONNECT', 'CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n', 405],
    [
      'an unknown expectation',
      'GET / HTTP/1.1\r\nHost: a\r\nExpect: x\r\nConnection: close\r\n\r\n',
      417,
    ],
  ])('with %s', async (_name, bytes, status) => {
    const { port, errors } = await start()
    const received = await exchange(port, bytes, 1000)
    expect(received).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    if (status === 405) expect(received).toMatch(/\r\nAllow: GET, HEAD, /)
    expect(errors).toEqual([])
  })

  it('that is malformed does not disturb the response to the one before it', async () => {
    const { port } = await start({
      handle: async () => {
        await wait(50)
        return text('first')
      },
    })
    const received = await exchange(port, `${requestText('GET', '/')}noise\r\n\r\n`, 500)
    expect(received.match(/HTTP\/1.1/g)?.length ?? 0).toBeLessThan(2)
  })

  it('with Expect: 100-continue may send its body', async () => {
    const { port } = await start({
      handle: async (request) => text(await request.toRequest().text()),
    })
    const body = await new Promise<string>((resolve, reject) => {
      const headers = { expect: '100-continue', 'content-length': 5 }
      const sent = request(
        { port, host: '127.0.0.1', method: 'POST', headers },
        async (response) => {
          let received = ''
          for await (const piece of response) received += piece
          resolve(received)
        },
      )
      sent.on('continue', () => sent.end('hello'))
      sent.on('error', reject)
      sent.flushHeaders()
    })
    expect(body).toBe('hello')
  })

  it('gets a plain 500 if its handler rejects, and the server continues', async () => {
    const { port, errors } = await start({
      handle: async (request) => {
        if (request.target === '/reject') throw new Error('broken')
        if (request.target === '/header') return { status: 200, headers: [['a', '\n']], body: '' }
        return text('fine')
      },
    })
    for (const target of ['/reject', '/header']) {
      const answer = await send(port, target)
      expect([answer.status, answer.body]).toEqual([500, '500 Internal Server Error\n'])
    }
    expect(errors.join()).toMatch(/GET \/reject failed: Error: broken/)
    expect((await send(port, '/')).body).toBe('fine')
  })

  it('that its client cancels is not an error of the server', async () => {
    let isReceived = false
    let isOver = false
    const { port, errors } = await start({
      handle: async (request) => {
        isReceived = true
        await request
          .toRequest()
          .text()
          .finally(() => {
            isOver = true
          })
        return text('')
      },
    })
    const head = requestText('POST', '/', ['content-length: 10'])
    const socket = connect(port, '127.0.0.1', () => socket.write(head))
    await until(() => isReceived)
    socket.destroy()
    await until(() => isOver)
    await wait(20)
    expect(errors).toEqual([])
  })

  it('beyond the limit gets a 503 at once, while files are still served', async () => {
    const { handle, requests, release } = holding(text('slow'))
    const staticFiles = loadStaticFiles({ dirs: [temporaryFolder({ 'a.txt': 'file' })] })
    const { port } = await start({ staticFiles, limits: { maxRunning: 1 }, handle })
    const slow = send(port, '/slow')
    await until(() => requests() === 1)
    const refused = await send(port, '/other')
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([
      503,
      expect.stringMatching(/^[1-3]$/),
    ])
    expect((await send(port, '/a.txt')).status).toBe(200)
    release()
    expect((await slow).body).toBe('slow')
    const next = send(port, '/slow')
    await until(() => requests() === 2)
    release()
    expect((await next).status).toBe(200)
  })

  it('with a head that arrives too slowly gets a 408', async () => {
    const { port } = await start({ limits: { headersTimeoutMs: 50, checkIntervalMs: 20 } })
    expect(await exchange(port, 'GET / HTTP/1.1\r\nHost: a', 2000)).toMatch(/^HTTP\/1.1 408 /)
  })
})

describe('close', () => {
  it('lets a running request end, and announces that the connection closes', async () => {
    const { handle, requests, release } = holding(text('ended'))
    const { port, server } = await start({ drainTimeoutMs: 10_000, handle })
    const running = exchange(port, requestText('GET', '/'), 3000)
    await until(() => requests() === 1)
    const closing = server.close()
    await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow()
    release()
    const received = await running
    expect(received).toMatch(/Connection: close[\s\S]*ended$/)
    expect(await closing).toEqual({ outcome: 'drained' })
  })

  it('closes idle connections at once', async () => {
    const { port, server } = await start({ drainTimeoutMs: 10_000 })
    const silent = connect(port, '127.0.0.1')
    const idle = connect(port, '127.0.0.1', () => idle.write(requestText('GET', '/')))
    const closed = [silent, idle].map((socket) => new Promise((end) => socket.once('close', end)))
    silent.on('error', () => {})
    silent.resume()
    await new Promise((resolve) => idle.once('data', resolve))
    idle.resume()
    // Connections left open would be cut at the deadline.
    expect(await server.close()).toEqual({ outcome: 'drained' })
    await Promise.all(closed)
  })

  it('closes a connection once the response that began before has ended', async () => {
    const { handle: rest, requests, release } = holding(text('ended'))
    const { port, server } = await start({
      drainTimeoutMs: 10_000,
      handle: async () => ({
        status: 200,
        headers: [],
        body: (async function* () {
          yield Buffer.from('begun')
          yield Buffer.from(String((await rest()).body))
        })(),
      }),
    })
    const running = exchange(port, requestText('GET', '/'), 3000)
    await until(() => requests() === 1)
    const closing = server.close()
    release()
    // A connection left open would be cut at the deadline.
    expect(await closing).toEqual({ outcome: 'drained' })
    expect(await running).toContain('ended')
  })

  it('cuts requests that still run at the deadline', async () => {
    let isReceived = false
    let isAborted = false
    const { port, server } = await start({
      drainTimeoutMs: 50,
      handle: (request) => {
        isReceived = true
        request.signal.addEventListener('abort', () => {
          isAborted = true
        })
        return new Promise(() => {})
      },
    })
    const running = exchange(port, requestText('GET', '/'), 3000)
    await until(() => isReceived)
    expect(await server.close()).toEqual({ outcome: 'cut' })
    expect(await running).toBe('')
    await until(() => isAborted)
  })

  it('may be called again', async () => {
    const { server } = await start()
    expect(await Promise.all([server.close(), server.close()])).toHaveLength(2)
  })
})
