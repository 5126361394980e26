import { connect, type Socket } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Handle } from '../http/response.ts'
import { createNodeServer, type NodeServerOptions } from './httpServer.ts'
import { exchange, requestText, until } from './testing/servers.ts'

const ok: Handle = async () => ({ status: 200, headers: [], body: 'ok' })

async function serving(options: Partial<NodeServerOptions> = {}) {
  const server = createNodeServer({
    port: 0,
    host: '127.0.0.1',
    drainTimeoutMs: 0,
    handle: ok,
    logger: { error() {} },
    screen: (status, headers) =>
      headers.get('accept')?.includes('html')
        ? { type: 'text/html; charset=utf-8', text: `<title>${status} – screen</title>` }
        : { type: 'application/problem+json', text: JSON.stringify({ status }) },
    ...options,
  })
  const { port } = await server.listen()
  onTestFinished(async () => void (await server.close({ isHurried: true })))
  return port
}

const html = 'Accept: text/html,*/*;q=0.8'
const longCookie = (bytes: number) => `Cookie: a=${'x'.repeat(bytes)}`
const get = (lines: readonly string[], target = '/') => requestText('GET', target, lines)

describe('a status that the server sends itself', () => {
  it.each<[number, string, string]>([
    [400, 'a head that is none', `GET / HTTP/1.1\r\nHost: a.test\r\n${html}\r\nbad\r\n\r\n`],
    [400, 'a request without a host', `GET / HTTP/1.1\r\n${html}\r\n\r\n`],
    [400, 'two hosts', get([html, 'Host: b.test'])],
    [
      400,
      'two lengths',
      requestText('POST', '/', [html, 'Content-Length: 1', 'Content-Length: 2']),
    ],
    [405, 'a method that is forbidden', requestText('TRACE', '/', [html])],
    [405, 'a method that is unknown', requestText('BREW', '/', [html])],
    [414, 'a long URL', get([html], `/${'x'.repeat(20_000)}`)],
    [417, 'an expectation', requestText('POST', '/', [html, 'Expect: tea', 'Content-Length: 0'])],
    [431, 'cookies of 17 kB', get([html, longCookie(17_000)])],
    [431, 'cookies of 40 kB', get([html, longCookie(40_000)])],
  ])('%i has its screen: %s', async (status, _, text) => {
    const response = await exchange(await serving(), text)
    expect(response).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(response).toMatch(/content-type: text\/html; charset=utf-8\r\n/i)
    expect(response).toMatch(/cache-control: no-store\r\n/i)
    expect(response).toMatch(/x-content-type-options: nosniff\r\n/i)
    // Decode as Latin-1, so that each byte of the UTF-8 body becomes one character.
    const body = Buffer.from(`<title>${status} – screen</title>`).toString('latin1')
    expect(response.endsWith(`\r\n\r\n${body}`)).toBe(true)
    expect(response).toMatch(new RegExp(`content-length: ${body.length}\r\n`, 'i'))
  })

  it('is JSON, or empty, if no document was requested', async () => {
    const port = await serving()
    const json = await exchange(port, get(['Accept: application/json', longCookie(17_000)]))
    expect(json).toMatch(/problem\+json.*\{"status":431\}$/s)
    const script = await exchange(port, get(['Accept: */*', longCookie(17_000)]))
    expect(script).toMatch(/^HTTP\/1\.1 431 .*text\/plain/s)
    const noClient = await exchange(port, 'x\r\n\r\n')
    expect(noClient).toMatch(/^HTTP\/1\.1 400 .*\r\n\r\n$/s)
  })

  it.each([17_000, 40_000])('has no body for HEAD, with cookies of %i bytes', async (bytes) => {
    const response = await exchange(
      await serving(),
      requestText('HEAD', '/', [html, longCookie(bytes)]),
    )
    expect(response).toMatch(/^HTTP\/1\.1 431 /)
    expect(response).toMatch(/content-length: [1-9]/i)
    expect(response).toMatch(/\r\n\r\n$/)
  })

  it('has a screen if the head is too long for the parser', async () => {
    const response = await exchange(await serving(), get([html, longCookie(80_000)]))
    expect(response).toMatch(/^HTTP\/1\.1 431 .*(?:<title>431|"status":431)/s)
  })

  it('contains nothing from the client, and is sent even if the screen throws', async () => {
    const port = await serving({
      screen: () => {
        throw new Error('secret')
      },
    })
    const evil = '<script>evil</script>'
    const response = await exchange(port, get([html, `X: ${evil}`, longCookie(80_000)], `/${evil}`))
    expect(response).toMatch(/^HTTP\/1\.1 4\d\d /)
    expect(response).not.toMatch(/evil|secret/)
  })
})

describe('deleting cookies', () => {
  const page = ['Sec-Fetch-Site: same-origin', 'Content-Length: 0', 'Connection: close']
  const path = '/_waymark/clear-cookies'

  it('deletes each cookie, for pages of the site', async () => {
    const lines = [...page, `Cookie: big=${'x'.repeat(20_000)}; __Host-id=1; a b=c; d`]
    const response = await exchange(await serving(), requestText('POST', path, lines))
    expect(response).toMatch(/^HTTP\/1\.1 303 /)
    expect(response).toMatch(/location: \/\r\n/i)
    expect(response).toMatch(/clear-site-data: "cookies"\r\n/i)
    expect(response.match(/set-cookie: [^\r]*/gi)).toEqual([
      'set-cookie: big=; Path=/; Max-Age=0',
      'set-cookie: big=; Path=/; Max-Age=0; Domain=a.test',
      'set-cookie: __Host-id=; Path=/; Max-Age=0; Secure',
      'set-cookie: __Host-id=; Path=/; Max-Age=0; Domain=a.test; Secure',
      'set-cookie: d=; Path=/; Max-Age=0',
      'set-cookie: d=; Path=/; Max-Age=0; Domain=a.test',
    ])
  })

  it('is limited', async () => {
    const many = Array.from({ length: 3_000 }, (_, at) => `c${at}=1`).join('; ')
    const response = await exchange(
      await serving(),
      requestText('POST', path, [...page, `Cookie: ${many}`]),
    )
    expect(response.match(/set-cookie/gi)).toHaveLength(200)
  })

  it.each<[number, string, readonly string[]]>([
    [403, 'POST', ['Sec-Fetch-Site: cross-site']],
    [403, 'POST', ['Sec-Fetch-Site: none']],
    [403, 'POST', ['Origin: https://evil.test']],
    [403, 'POST', ['Origin: null']],
    [403, 'POST', []],
    [405, 'GET', ['Sec-Fetch-Site: same-origin']],
  ])('is refused with %i: %s %j', async (status, method, lines) => {
    const sent = [...lines, 'Cookie: a=b', 'Connection: close']
    const response = await exchange(await serving(), requestText(method, path, sent))
    expect(response).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(response).not.toMatch(/set-cookie|clear-site-data/i)
  })
})

/** Sends a head, then pieces of a body at intervals, as a busy browser does. */
function upload(port: number, lines: readonly string[], pieces: number, everyMs: number) {
  let received = ''
  let isReset = false
  let sentPieces = 0
  const socket: Socket = connect(port, '127.0.0.1', () => {
    socket.write(requestText('POST', '/', lines))
    const timer = setInterval(() => {
      if (sentPieces++ >= pieces) return clearInterval(timer)
      socket.write(Buffer.alloc(60_000, 'x'))
    }, everyMs)
    socket.once('close', () => clearInterval(timer))
  })
  socket.on('error', () => {
    isReset = true
  })
  // Like Chromium, the client reads nothing before it has sent everything.
  socket.on('data', (bytes) => {
    received += bytes
  })
  onTestFinished(() => void socket.destroy())
  return { socket, received: () => received, isReset: () => isReset, sent: () => sentPieces }
}

describe('a client that still sends while it is refused', () => {
  const length = (bytes: number) => [html, `Content-Length: ${bytes}`]
  const refusing: Handle = async () => ({ status: 413, headers: [], body: 'too large' })

  it.each<[string, readonly string[], Partial<NodeServerOptions>, number]>([
    ['by the handler', [], { handle: refusing }, 413],
    ['for its host', ['Host: b.test'], {}, 400],
    ['for its cookies', [longCookie(17_000)], {}, 431],
    ['because the server is busy', [], { limits: { maxRunning: 0 } }, 503],
  ])('gets its response: %s', async (_, lines, options, status) => {
    const port = await serving(options)
    const client = upload(port, [...length(3_000_000), ...lines], 50, 10)
    await until(() => client.sent() > 50)
    await until(() => client.received().includes(`HTTP/1.1 ${status} `))
    expect(client.isReset()).toBe(false)
  })

  it('gets its response if the parser refuses it', async () => {
    const port = await serving()
    const client = upload(port, [html, longCookie(200_000)], 20, 10)
    await until(() => client.received().includes('HTTP/1.1 431 '))
    await until(() => client.sent() > 20 || client.socket.destroyed)
    expect(client.isReset()).toBe(false)
  })

  it('occupies no slot', async () => {
    const port = await serving({ handle: refusing, limits: { maxRunning: 1 } })
    const clients = Array.from({ length: 20 }, () => upload(port, length(9_000_000), 150, 20))
    for (const client of clients) await until(() => client.received().includes('HTTP/1.1 413 '))
  })

  it('is cut after a time, after a number of bytes, and if it falls silent', async () => {
    const limits = { maxMs: 400, silenceMs: 5_000, maxBytes: 1e9 }
    const slow = upload(
      await serving({ handle: refusing, limits: { linger: limits } }),
      length(9e9),
      1e9,
      50,
    )
    const fast = upload(
      await serving({
        handle: refusing,
        limits: { linger: { ...limits, maxMs: 9e5, maxBytes: 2e6 } },
      }),
      length(9e9),
      1e9,
      1,
    )
    const silent = upload(
      await serving({
        handle: refusing,
        limits: { linger: { ...limits, maxMs: 9e5, silenceMs: 200 } },
      }),
      length(9e9),
      1,
      1,
    )
    for (const { socket } of [slow, fast, silent]) await until(() => socket.destroyed)
  })

  it('is closed at once if there are too many such clients', async () => {
    const port = await serving({ handle: refusing, limits: { linger: { maxOpen: 5 } } })
    const clients = Array.from({ length: 30 }, () => upload(port, length(9e9), 1e9, 20))
    const isOpen = () => clients.filter(({ socket }) => !socket.destroyed).length
    await until(() => isOpen() <= 5)
    expect(await exchange(port, get(['Connection: close']))).toMatch(/^HTTP\/1\.1 413/)
  })
})
