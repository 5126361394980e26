import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { exchange, requestText, until } from '../../node/testing/servers.ts'
import { handleSockets } from './devPlugin.ts'

/** Creates a server that, like Vite's, passes WebSockets below `/passed-on` to a different server. */
async function listen() {
  const server = createServer((_req, res) => res.setHeader('connection', 'close').end('the app'))
  let upgrades = 0
  server.on('upgrade', (req, socket) => {
    if (!['/passed-on', '/@vite', '/@vite?quiet'].includes(req.url ?? '')) return
    upgrades++
    socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n')
    if (req.url !== '/@vite?quiet') socket.end()
  })
  const proxy = {
    '/passed-on': { target: 'http://localhost:1', ws: true },
    '/api': 'http://localhost:1',
  }
  handleSockets(server, proxy, 100)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const open = () => new Promise<number>((resolve) => server.getConnections((_, n) => resolve(n)))
  return { port: (server.address() as AddressInfo).port, open, upgrades: () => upgrades }
}

const h2c = ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABk']
const webSocket = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13']
const ofVite = [...webSocket, 'Sec-WebSocket-Protocol: vite-hmr']

test.each<[string, string, readonly string[], RegExp]>([
  ['another protocol', '/', h2c, /^HTTP\/1\.1 200 OK.*the app$/s],
  ['another protocol below a proxy', '/api', h2c, /^HTTP\/1\.1 200 OK.*the app$/s],
  ['a protocol of nobody', '/', ['Connection: upgrade', 'Upgrade: x'], /^HTTP\/1\.1 200 OK/],
  ['a WebSocket of the app', '/', webSocket, /^HTTP\/1\.1 200 OK.*the app$/s],
  ['a WebSocket below a proxy without ws', '/api', webSocket, /^HTTP\/1\.1 200 OK/],
  ['a WebSocket of Vite', '/@vite', ofVite, /^HTTP\/1\.1 101/],
  ['a WebSocket of Vite that Vite does not take', '/', ofVite, /^HTTP\/1\.1 400/],
  ['a WebSocket that is passed on', '/passed-on', webSocket, /^HTTP\/1\.1 101/],
])('%s gets its response, and its connection ends', async (_, target, lines, response) => {
  const { port, open } = await listen()
  expect(await exchange(port, requestText('GET', target, lines), 2_000)).toMatch(response)
  let left = 1
  await until(() => {
    void open().then((count) => {
      left = count
    })
    return left === 0
  })
})

test('a WebSocket that Vite has taken stays open, however quiet it is', async () => {
  const { port } = await listen()
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  let text = ''
  socket.setEncoding('latin1').on('data', (chunk) => {
    text += chunk
  })
  socket.write(requestText('GET', '/@vite?quiet', ofVite))
  await until(() => text !== '')
  // Wait three times as long as an upgrade may stay without a response.
  await sleep(300)
  expect(text).toBe('HTTP/1.1 101 Switching Protocols\r\n\r\n')
  expect(socket.readyState).toBe('open')
})
