import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { startApp } from './harness/app.ts'
import { describeModes } from './harness/describeModes.ts'
import { freePort } from './harness/freePort.ts'
import { openPage } from './harness/page.ts'
import { openRawSocket } from './harness/rawSocket.ts'
import { caddy, nginx } from './harness/webServer.ts'

type Place = { readonly origin: string }

/** Opens the chat as a different person, in a separate browser context. */
async function openChat(app: Place, name: string) {
  const visit = await openPage(app, { ignoreHTTPSErrors: true })
  await visit.page.context().addCookies([{ name: 'name', value: name, url: app.origin }])
  await visit.page.goto('/')
  const state = () => visit.page.getByRole('status').textContent()
  await expect.poll(state).toBe('open')
  const texts = () => visit.page.getByRole('listitem').allTextContents()
  const say = async (text: string) => {
    await visit.page.getByLabel('Text').fill(text)
    await visit.page.getByRole('button', { name: 'Send' }).click()
  }
  return { ...visit, state, texts, say }
}

const asAda = { headers: { cookie: 'name=ada' } }

describeModes('sockets', { app: 'sockets' }, (served) => {
  const open = (path: string, options?: Parameters<typeof openRawSocket>[2]) =>
    openRawSocket(served.app, path, options)

  test('send a message of one browser back to it, and to another browser', async () => {
    const ada = await openChat(served.app, 'ada')
    const eve = await openChat(served.app, 'eve')
    await ada.say('hello')
    await expect.poll(ada.texts).toEqual(['welcome ada', 'you: hello'])
    await expect.poll(eve.texts).toEqual(['welcome eve', 'ada: hello'])
    await served.fetch('/api/chat', { method: 'POST', body: 'from a handler' })
    for (const { texts } of [ada, eve]) await expect.poll(texts).toContain('from a handler')
    // In development, allow the warning about a closed connection, because React runs each effect
    // twice.
    ada.expectQuietConsole(served.mode === 'dev' ? [/before the connection is established/] : [])
  })

  test('the handshake has the cookies that were set, and the common protocol', async () => {
    const headers = { ...asAda.headers, 'sec-websocket-protocol': 'other, chat.v1' }
    const socket = await open('/api/chat', { headers })
    expect(socket.status).toBe(101)
    expect(socket.head).toContain('\r\nsec-websocket-protocol: chat.v1')
    expect(socket.head).toMatch(/\r\nset-cookie: seen=chat/)
    // The server must not negotiate compression.
    expect(socket.head).not.toContain('extensions')
  })

  test.each([
    ['frames', [0x01, 0x81, 0, 0, 0, 0, 0x61], [0x00, 0x81, 0, 0, 0, 0, 0x61]],
    ['packets', [0x81, 0xfe, 0xff, 0xff, 0, 0, 0, 0], [0x61]],
  ])('a message in too many %s closes its socket, even if it is short', async (_, start, next) => {
    const socket = await open('/api/chat', asAda)
    socket.write(start)
    for (let count = 0; count < 250; count++) {
      socket.write(next)
      await sleep(2)
    }
    expect(await socket.closed()).toBe(1008)
  })

  test('a request without an upgrade gets a 426', async () => {
    const response = await served.fetch('/api/chat', asAda)
    expect(response.status).toBe(426)
    expect(response.headers.get('upgrade')).toBe('websocket')
    expect(response.headers.get('x-around')).toBe('seen')
    expect(response.headers.get('cache-control')).toContain('no-store')
    expect((await served.fetch('/api/chat', { ...asAda, method: 'HEAD' })).status).toBe(426)
  })

  test('a guard refuses with its status', async () => {
    const socket = await open('/api/chat')
    expect(socket.status).toBe(401)
    await socket.closed()
  })

  test('another origin is refused before the handler runs', async () => {
    const ofOrigin = (origin: string) => ({ headers: { ...asAda.headers, origin } })
    const foreign = await open('/api/chat', ofOrigin('https://evil.example'))
    expect(foreign.status).toBe(403)
    expect(foreign.head).not.toContain('set-cookie')
    expect((await open('/api/chat', ofOrigin('null'))).status).toBe(403)
    expect((await open('/api/chat', ofOrigin('https://friend.example'))).status).toBe(101)
    // The origin must be checked even if proxy.ts has replaced the headers.
    expect((await open('/api/behind', ofOrigin('https://evil.example'))).status).toBe(403)
  })

  test('proxy.ts runs before, and may refuse', async () => {
    const away = await open('/api/behind?away')
    expect(away.status).toBe(302)
    expect(away.head).toContain('\r\nlocation: ')
    const refused = await open('/api/behind?refused')
    expect(refused.status).toBe(402)
    await refused.closed()
    expect(refused.body()).toContain('pay first')
    const admitted = await open('/api/behind')
    await expect.poll(() => admitted.texts).toEqual(['user ada'])
  })

  test('a handler that opens no socket responds as to any other request', async () => {
    const page = await open('/')
    expect(page.status).toBe(200)
    await page.closed()
    expect(page.body()).toContain('</html>')
    expect((await open('/api/none')).status).toBe(404)
    expect(
      (await open('/api/chat', { headers: { ...asAda.headers, 'sec-websocket-key': 'short' } }))
        .status,
    ).toBe(400)
  })

  test.each([
    '*',
    '//api/chat',
    'http://evil.example/api/chat',
    'nowhere',
    '/api/%',
    '/%2e%2e/api',
  ])('a target such as %s opens no socket, and does not end the process', async (target) => {
    const socket = await open(target, asAda)
    expect([307, 308, 400, 403, 404]).toContain(socket.status)
    expect((await served.fetch('/api/plain')).status).toBe(200)
  })

  test.skipIf(served.mode === 'production')(
    'a page with a foreign name that points here gets no socket',
    async () => {
      const rebound = { ...asAda.headers, host: 'evil.example', origin: 'http://evil.example' }
      expect((await open('/api/chat', { headers: rebound })).status).toBe(403)
    },
  )

  test.skipIf(served.mode === 'dev')('an offer of another protocol is not accepted', async () => {
    const headers = { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'content-length': '0' }
    const socket = await open('/api/plain', { headers })
    expect(socket.status).toBe(200)
    expect(socket.body()).toContain('plain')
  })

  test('an error in a hook closes the socket, and only the journal reports it', async () => {
    const socket = await open('/api/hooks')
    socket.send('a secret')
    expect(await socket.closed()).toBe(1011)
    expect(socket.texts).toEqual([])
    await expect.poll(() => served.app.logs()).toContain('The hook failed with a secret.')
    const outside = await open('/api/hooks')
    outside.send('cookies')
    expect(await outside.closed()).toBe(1011)
    await expect.poll(() => served.app.logs()).toContain('cookies() was called outside')
  })
})

describeModes('limits of sockets', { app: 'sockets' }, (served) => {
  const open = (name: string, options?: Parameters<typeof openRawSocket>[2]) =>
    openRawSocket(served.app, `/api/limited?name=${name}`, options)
  const logged = async () => (await served.fetch('/api/log')).json()

  test('a message that is too large closes its socket', async () => {
    const socket = await open('large')
    socket.send('x'.repeat(1_000))
    await expect.poll(() => socket.texts.length).toBe(1)
    socket.send('x'.repeat(1_001))
    expect(await socket.closed()).toBe(1009)
    await expect.poll(logged).toContain('large closed 1006')
    expect(String(await logged())).toMatch(/large error .*Max payload size exceeded/)
  })

  test.each([
    ['without a mask', [0x81, 0x01, 0x61], 1002],
    ['with a reserved bit', [0xc1, 0x80, 0, 0, 0, 0], 1002],
    ['that continues no message', [0x80, 0x80, 0, 0, 0, 0], 1002],
    ['with a length that is too large', [0x82, 0xff, ...Array<number>(8).fill(0x7f)], 1009],
    ['with invalid UTF-8', [0x81, 0x81, 0, 0, 0, 0, 0xff], 1007],
    ['with a ping that is too long', [0x89, 0xfe, 0x01, 0], 1002],
  ])('a frame %s closes its socket', async (_, bytes, code) => {
    const socket = await open('broken')
    socket.write(bytes)
    expect(await socket.closed()).toBe(code)
    expect((await served.fetch('/api/plain')).status).toBe(200)
  })

  test('fragments of a message are counted together', async () => {
    const socket = await open('pieces')
    const piece = (first: number) => [first, 0xfe, 0x02, 0x00, 0, 0, 0, 0, ...Array(512).fill(0x61)]
    socket.write([...piece(0x01), ...piece(0x00)])
    expect(await socket.closed()).toBe(1009)
    expect(socket.texts).toEqual([])
  })

  test('too many messages in a second close their socket, and so do pings', async () => {
    const talker = await open('talker')
    for (let count = 0; count < 40; count++) talker.send('again')
    expect(await talker.closed()).toBe(1008)
    expect(talker.texts.length).toBeLessThanOrEqual(20)
    const pinger = await open('pinger')
    for (let count = 0; count < 40; count++) pinger.ping()
    expect(await pinger.closed()).toBe(1008)
  })

  test('a client that does not read is disconnected', async () => {
    const socket = await open('slow', { isSilent: true })
    socket.pause()
    socket.send('flood')
    await expect.poll(logged).toContain('slow closed 1006')
    socket.resume()
    expect(await socket.closed()).toBeNull()
  })

  test('a client that does not respond to pings is disconnected', async () => {
    const alive = await open('alive')
    const gone = await open('gone', { isSilent: true })
    expect(await gone.closed()).toBeNull()
    await expect.poll(logged).toContain('gone closed 1006')
    alive.send('still here')
    await expect.poll(() => alive.texts).toEqual(['still here'])
  })

  test('sockets beyond the limit get a 503', async () => {
    const sockets = await Promise.all(['one', 'two', 'three'].map((name) => open(name)))
    expect(sockets.map(({ status }) => status)).toEqual([101, 101, 101])
    const further = await open('four')
    expect(further.status).toBe(503)
    expect(further.head).toContain('\r\nretry-after: ')
    sockets[0]?.leave()
    await expect.poll(async () => (await open('five')).status).toBe(101)
  })
})

describe('sockets of clients behind a proxy', () => {
  test("are counted by the address in the proxy's header", async () => {
    const args = ['--trust-proxy', 'loopback']
    const app = await startApp({ app: 'sockets', mode: 'production', args })
    try {
      const statusOf = async (address: string) => {
        const headers = { 'x-forwarded-for': address }
        return (await openRawSocket(app, '/api/limited', { headers })).status
      }
      const statuses = [await statusOf('203.0.113.7'), await statusOf('203.0.113.7')]
      expect(statuses).toEqual([101, 101])
      expect(await statusOf('203.0.113.7')).toBe(503)
      expect(await statusOf('203.0.113.8')).toBe(101)
    } finally {
      await app.stop()
    }
  })
})

describe('sockets of a server that stops', () => {
  test('are closed with 1001, and the process ends', async () => {
    const app = await startApp({ app: 'sockets', mode: 'production' })
    const { state } = await openChat(app, 'ada')
    const silent = await openRawSocket(app, '/api/chat', { ...asAda, isSilent: true })
    const startedAtMs = Date.now()
    await app.stop()
    // The server must not wait for open connections, which would take ten seconds.
    expect(Date.now() - startedAtMs).toBeLessThan(9_000)
    expect(await state()).toBe('closed 1001')
    expect(await silent.closed()).toBe(1001)
  })
})

for (const kind of [nginx, caddy]) {
  describe.skipIf(kind.program === null)(`sockets behind ${kind.name}`, () => {
    test('open with the files of deploy/, and the page has their origin', async () => {
      const args = ['--trust-proxy', 'loopback']
      const app = await startApp({ app: 'sockets', mode: 'production', args })
      const server = await kind.start({ root: app.root, ports: [app.port, await freePort()] })
      try {
        const ada = await openChat(server, 'ada')
        await ada.say('hello')
        await expect.poll(ada.texts).toContain('you: hello')
      } finally {
        await server.stop()
        await app.stop()
      }
    })
  })
}

describe('sockets of the dev server', () => {
  test("do not disturb Vite's own socket", async () => {
    const app = await startApp({ app: 'sockets', mode: 'dev' })
    try {
      const { page, state } = await openChat(app, 'ada')
      app.edit('app/page.tsx', (text) => text.replace('<h1>Chat</h1>', '<h1>Talk</h1>'))
      await page.getByRole('heading', { name: 'Talk' }).waitFor()
      expect(await state()).toBe('open')
    } finally {
      await app.stop()
    }
  })
})
