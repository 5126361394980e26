import { expect, onTestFinished, test } from 'vitest'
import type { HandlerResponse } from '../http/response.ts'
import { createNodeServer, type NodeServerOptions } from './httpServer.ts'
import { exchange } from './testing/servers.ts'

async function start(options: Partial<NodeServerOptions> = {}) {
  const handled: string[] = []
  const files: string[] = []
  const refused: string[] = []
  const server = createNodeServer({
    handle({ origin, target }): HandlerResponse {
      handled.push(origin + target)
      return { status: 200, headers: [], body: 'handled' }
    },
    staticFiles: {
      serve: (req) => {
        files.push(req.url ?? '')
        return false
      },
      writeCached: () => false,
      cachedBytes: () => 0,
      findBuilt: () => null,
      hasNotFound: false,
      hasFile: () => false,
    },
    screen: (status) => ({ type: 'text/html', text: `<p>${status}</p>` }),
    allowedHosts: ['example.com', '*.example.org', 'localhost:8443'],
    onRefusedHost: (origin) => refused.push(origin),
    port: 0,
    host: '127.0.0.1',
    drainTimeoutMs: 100,
    ...options,
  })
  const { port } = await server.listen()
  onTestFinished(async () => void (await server.close({ isHurried: true })))
  const send = async (target: string, lines: readonly string[]) => {
    const head = [`GET ${target} HTTP/1.1`, ...lines, 'Connection: close', '', '']
    const text = await exchange(port, head.join('\r\n'))
    return { status: Number(text.split(' ')[1]), text }
  }
  return { handled, files, refused, send }
}

test.each([
  ['Host: example.com', 200],
  ['Host: example.com:3000', 200],
  ['Host: a.b.example.org', 200],
  ['Host: localhost:8443', 200],
  ['Host: evil.example', 400],
  ['Host: localhost', 400],
  ['Host: example.org', 400],
  ['Host: 127.0.0.1', 400],
  ['Host: example.com.evil.example', 400],
  ['Host: example.com, evil.example', 400],
  ['Host:', 400],
])('a request with %s gets a %i', async (line, status) => {
  const { handled, files, send } = await start()
  expect((await send('/a', [line])).status).toBe(status)
  expect([handled.length, files.length]).toEqual(status === 200 ? [1, 1] : [0, 0])
})

test('an absolute target or a trusted proxy overrides the host header', async () => {
  const direct = await start()
  expect((await direct.send('http://evil.example/a', ['Host: example.com'])).status).toBe(400)
  expect((await direct.send('http://example.com/a', ['Host: evil.example'])).status).toBe(200)
  const lines = ['Host: example.com', 'X-Forwarded-Host: evil.example']
  expect((await direct.send('/a', lines)).status).toBe(200)
  const behind = await start({ trustProxy: ['127.0.0.1'] })
  expect((await behind.send('/a', lines)).status).toBe(400)
  expect((await behind.send('/a', ['Host: x', 'X-Forwarded-Host: example.com'])).status).toBe(200)
})

test('people get the refusal as a screen', async () => {
  const { send } = await start()
  const { text } = await send('/a', ['Host: evil.example', 'Accept: text/html'])
  expect(text).toContain('<p>400</p>')
  expect(text).toMatch(/cache-control: no-store/i)
})

test('a WebSocket is refused, too', async () => {
  const { handled, send } = await start()
  const lines = ['Host: evil.example', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13']
  const { status } = await send('/socket', [
    ...lines,
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  ])
  expect([status, handled]).toEqual([400, []])
})

test('health checks respond for every host', async () => {
  const { send } = await start()
  expect((await send('/_waymark/health/ready', ['Host: 10.0.0.1:3000'])).status).toBe(200)
  expect((await send('/_waymark/health/live', ['Host: evil.example'])).status).toBe(200)
})

test('the first refused hosts are reported, each once', async () => {
  const { refused, send } = await start()
  for (const name of ['a', 'a', 'b', 'c', 'd', 'e', 'f', 'g']) {
    await send('/', [`Host: ${name}.test`])
  }
  expect(refused).toEqual(['a', 'b', 'c', 'd', 'e'].map((name) => `http://${name}.test`))
})

test('without a list, every host is allowed', async () => {
  const { send } = await start({ allowedHosts: null })
  expect((await send('/a', ['Host: evil.example'])).status).toBe(200)
})
