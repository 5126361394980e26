import { connect, type Socket } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { HandlerResponse } from '../http/response.ts'
import { createNodeServer, type NodeServerOptions } from './httpServer.ts'
import { exchange, pieces, requestText, until } from './testing/servers.ts'

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const plain: HandlerResponse = {
  status: 200,
  headers: [['content-type', 'text/plain']],
  body: 'ok',
}

async function serving(options: Partial<NodeServerOptions>): Promise<number> {
  const server = createNodeServer({
    port: 0,
    host: '127.0.0.1',
    drainTimeoutMs: 0,
    handle: async () => plain,
    logger: { error() {} },
    ...options,
  })
  const { port } = await server.listen()
  onTestFinished(async () => void (await server.close()))
  return port
}

/** Opens a connection that sends a request and reads nothing. */
function deafClient(port: number, text: string): Socket & { closedAt?: number } {
  const socket: Socket & { closedAt?: number } = connect(port, '127.0.0.1', () =>
    socket.write(text),
  )
  socket.pause()
  socket.on('error', () => {})
  socket.on('close', () => {
    socket.closedAt = Date.now()
  })
  onTestFinished(() => void socket.destroy())
  return socket
}

async function* endless(onEnd: () => void): AsyncGenerator<Uint8Array> {
  const piece = Buffer.alloc(65_536)
  try {
    while (true) yield piece
  } finally {
    onEnd()
  }
}

describe('a client that reads nothing', () => {
  it.each([
    ['arrives in pieces', () => endless(() => {})],
    ['is one large text', () => Buffer.alloc(64_000_000)],
  ])('is cut if the response %s', async (_, body) => {
    let isRequested = false
    const port = await serving({
      handle: async ({ target }) => {
        isRequested ||= target === '/'
        return target === '/' ? { ...plain, body: body() } : plain
      },
      limits: { stallTimeoutMs: 500, maxConnections: 1 },
    })
    deafClient(port, requestText('GET', '/'))
    await until(() => isRequested)
    const text = requestText('GET', '/other', ['Connection: close'])
    expect(await exchange(port, text)).toBe('')
    // The server accepts a new request once it has cut the connection.
    const deadlineMs = Date.now() + 10_000
    let answer = ''
    while (answer === '' && Date.now() < deadlineMs) answer = await exchange(port, text, 100)
    expect(answer).toMatch(/^HTTP\/1\.1 200/)
  })

  it('causes the body that is written for it to end', async () => {
    let hasEnded = false
    const body = endless(() => {
      hasEnded = true
    })
    const port = await serving({
      handle: async () => ({ ...plain, body }),
      limits: { stallTimeoutMs: 150 },
    })
    deafClient(port, requestText('GET', '/'))
    await until(() => hasEnded)
  })
})

describe('a client that waits', () => {
  it('for a response that is silent for longer is not cut', async () => {
    async function* delayed(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('begun ')
      await wait(600)
      yield Buffer.from('ended')
    }
    const port = await serving({
      handle: async () => ({ ...plain, body: delayed() }),
      limits: { stallTimeoutMs: 150 },
    })
    const text = await exchange(port, requestText('GET', '/', ['Connection: close']), 2000)
    expect(text).toContain('ended')
  })

  it('and reads slowly gets the whole response', async () => {
    const size = 3_000_000
    const port = await serving({
      handle: async () => ({ ...plain, body: Buffer.alloc(size, 'x') }),
      limits: { stallTimeoutMs: 300 },
    })
    let received = 0
    const socket = connect(port, '127.0.0.1', () =>
      socket.write(requestText('GET', '/', ['Connection: close'])),
    )
    socket.on('data', (bytes) => {
      received += bytes.length
      socket.pause()
      setTimeout(() => socket.resume(), 20)
    })
    await new Promise((resolve) => socket.on('close', resolve))
    expect(received).toBeGreaterThan(size)
  })
})

describe('requests that a client sends before it has the first response', () => {
  /** Starts a server that doesn't respond to `/first`, and a client that has sent further requests after `/first`. */
  async function pipelining(count: number) {
    const handled: string[] = []
    let release = () => {}
    const port = await serving({
      async handle({ target }) {
        handled.push(target)
        if (target === '/first') await new Promise<void>((resolve) => (release = resolve))
        return { ...plain, body: pieces(`of ${target} `) }
      },
      limits: { maxRunning: 2 },
    })
    const others = Array.from({ length: count }, (_, at) => requestText('GET', `/${at}`))
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(requestText('GET', '/first') + others.join(''))
    })
    socket.on('error', () => {})
    onTestFinished(() => void socket.destroy())
    await until(() => handled.length > 0)
    return { port, handled, socket, release: () => release() }
  }

  it('wait for their turn: one connection uses one slot, and releases it', async () => {
    const { port, handled, socket } = await pipelining(20)
    const text = requestText('GET', '/another', ['Connection: close'])
    expect(await exchange(port, text)).toMatch(/^HTTP\/1\.1 200/)
    expect(handled).toEqual(['/first', '/another'])
    socket.destroy()
    await wait(50)
    expect(await exchange(port, text)).toMatch(/^HTTP\/1\.1 200/)
    expect(handled).toHaveLength(3)
  })

  it('are handled in order', async () => {
    const { handled, socket, release } = await pipelining(3)
    let received = ''
    socket.on('data', (bytes) => {
      received += String(bytes)
    })
    release()
    await until(() => received.includes('of /2 '))
    expect(received.match(/of \/\w+/g)).toEqual(['of /first', 'of /0', 'of /1', 'of /2'])
    expect(handled).toEqual(['/first', '/0', '/1', '/2'])
  })

  it('cut their connection if there are too many', async () => {
    const { port, socket } = await pipelining(500)
    await new Promise((resolve) => socket.on('close', resolve))
    expect(await exchange(port, requestText('GET', '/'))).toMatch(/^HTTP\/1\.1 200/)
  })
})

describe('slow heads and bodies', () => {
  it('end with 408, one byte at a time, however many there are', async () => {
    const port = await serving({
      limits: { headersTimeoutMs: 250, requestTimeoutMs: 400, checkIntervalMs: 50 },
    })
    const slow = Array.from({ length: 50 }, (_, index) => {
      const head =
        index % 2 === 0 ? 'GET / HTTP/1.1\r\n' : requestText('POST', '/', ['Content-Length: 999'])
      let drip: NodeJS.Timeout | undefined
      const socket = connect(port, '127.0.0.1', () => {
        socket.write(head)
        drip = setInterval(() => socket.write('x'), 40)
      })
      socket.on('error', () => {})
      socket.on('close', () => clearInterval(drip))
      let received = ''
      socket.on('data', (bytes) => {
        received += String(bytes)
      })
      return new Promise<string>((resolve) => socket.on('close', () => resolve(received)))
    })
    // While the pipelined requests wait, other requests get responses.
    expect(await exchange(port, requestText('GET', '/', ['Connection: close']))).toContain('ok')
    for (const received of await Promise.all(slow))
      expect(received).toMatch(/ 408 |^HTTP\/1\.1 200/)
  })
})

describe('a large body on a slow connection', () => {
  const limits = { headersTimeoutMs: 200, requestTimeoutMs: 300, checkIntervalMs: 30 }

  async function serveBodies(): Promise<number> {
    return serving({
      limits,
      handle: async (request) => {
        const text = await request.toRequest().text()
        return { ...plain, body: `${text.length} bytes` }
      },
    })
  }

  it('arrives completely, however long it takes', async () => {
    const port = await serveBodies()
    const head = requestText('POST', '/', ['Content-Length: 100000', 'Connection: close'])
    const startedAtMs = Date.now()
    let received = ''
    await new Promise<void>((resolve) => {
      const socket = connect(port, '127.0.0.1', async () => {
        socket.write(head)
        for (let sent = 0; sent < 10; sent++) {
          socket.write('x'.repeat(10_000))
          await wait(100)
        }
      })
      socket.on('data', (data) => {
        received += String(data)
      })
      socket.on('close', () => resolve())
    })
    expect(Date.now() - startedAtMs).toBeGreaterThan(2 * limits.requestTimeoutMs)
    expect(received).toContain('100000 bytes')
  })

  it('gets a 408 if it stalls', async () => {
    const port = await serveBodies()
    const head = requestText('POST', '/', ['Content-Length: 100000'])
    expect(await exchange(port, head + 'x'.repeat(90_000), 5_000)).toMatch(/^HTTP\/1\.1 408 /)
  })
})

describe('more requests than a server can handle', () => {
  it('are refused at once with 503 and Retry-After, and the server stays up', async () => {
    let running = 0
    let most = 0
    const port = await serving({
      handle: async () => {
        most = Math.max(most, ++running)
        await wait(30)
        running--
        return plain
      },
      limits: { maxRunning: 10 },
    })
    const text = requestText('GET', '/', ['Connection: close'])
    const answers = await Promise.all(Array.from({ length: 300 }, () => exchange(port, text, 3000)))
    const refused = answers.filter((answer) => answer.startsWith('HTTP/1.1 503'))
    expect(answers.filter((answer) => answer.startsWith('HTTP/1.1 200')).length).toBeGreaterThan(9)
    expect(refused.length).toBeGreaterThan(0)
    for (const answer of refused) expect(answer).toMatch(/retry-after: \d/)
    expect(most).toBe(10)
    expect(await exchange(port, text)).toContain('ok')
  })

  it('on too many connections are dropped, and existing connections continue', async () => {
    const port = await serving({ limits: { maxConnections: 5 } })
    const held = Array.from({ length: 5 }, () => connect(port, '127.0.0.1'))
    onTestFinished(() => held.forEach((socket) => void socket.destroy()))
    await Promise.all(held.map((socket) => new Promise((resolve) => socket.on('connect', resolve))))
    await wait(50)
    expect(await exchange(port, requestText('GET', '/'))).toBe('')
    held[0]?.write(requestText('GET', '/'))
    const answered = await new Promise((resolve) => held[0]?.once('data', resolve))
    expect(String(answered)).toContain('200')
  })
})
