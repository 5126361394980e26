import type { IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import type { ServerRequest } from '../http/response.ts'
import {
  createIsTrustedPeer,
  NodeRequest,
  readOrigin,
  readRemoteAddress,
  readTarget,
  type TrustProxy,
} from './request.ts'
import { exchange, requestText, startServer, until } from './testing/servers.ts'

type Incoming = { headers?: Record<string, string>; url?: string; peer?: string; tls?: boolean }

function originOf(incoming: Incoming, trustProxy: TrustProxy = false): string | null {
  const { headers = {}, url = '/', peer = '10.0.0.1', tls = false } = incoming
  const socket = { remoteAddress: peer, localPort: 3000, encrypted: tls }
  const req = { headers, url, socket, rawHeaders: Object.entries(headers).flat() }
  return readOrigin(req as unknown as IncomingMessage, createIsTrustedPeer(trustProxy))
}

describe('readRemoteAddress', () => {
  const read = (forwarded: string | undefined, peer: string | undefined, trust: TrustProxy) => {
    const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }
    const req = { headers, socket: { remoteAddress: peer } } as unknown as IncomingMessage
    return readRemoteAddress(req, createIsTrustedPeer(trust))
  }
  const proxies = ['10.0.0.0/8', '::1']

  it.each<[string | undefined, string | undefined, TrustProxy, string | null]>([
    [undefined, '10.0.0.1', false, '10.0.0.1'],
    ['203.0.113.1', '10.0.0.1', false, '10.0.0.1'],
    [undefined, '10.0.0.1', proxies, '10.0.0.1'],
    ['203.0.113.1', '10.0.0.1', proxies, '203.0.113.1'],
    ['203.0.113.1', '::ffff:10.0.0.1', proxies, '203.0.113.1'],
    ['forged, 203.0.113.1', '10.0.0.1', proxies, '203.0.113.1'],
    ['198.51.100.9, 203.0.113.1, 10.0.0.2', '10.0.0.1', proxies, '203.0.113.1'],
    ['198.51.100.9, 203.0.113.1', '10.0.0.1', true, '203.0.113.1'],
    ['203.0.113.1', '192.0.2.1', proxies, '192.0.2.1'],
    ['203.0.113.1:4711', '::1', proxies, '203.0.113.1'],
    ['[2001:db8::7]:4711', '::1', proxies, '2001:db8::7'],
    ['203.0.113.1, unknown', '10.0.0.1', proxies, '10.0.0.1'],
    ['', '10.0.0.1', proxies, '10.0.0.1'],
    [undefined, undefined, proxies, null],
  ])('forwarded %j by %s, trusting %j, is %s', (forwarded, peer, trust, expected) => {
    expect(read(forwarded, peer, trust)).toBe(expected)
  })
})

/** Hosts whose characters are allowed, but which no URL can have. */
const unparsable = [
  'x:99999',
  '300.1.1.1',
  '1.2.3.4.5',
  'a.1',
  'xn--a',
  '[1:2]',
  '[::1.2]',
  '..',
  '.',
  '.a.b',
  'a..b',
  'a..',
]

describe('readOrigin', () => {
  it.each([
    [{ headers: { host: 'a.test' } }, 'http://a.test'],
    [{ headers: { host: 'A.Test:8080' } }, 'http://a.test:8080'],
    [{ headers: { host: '[::1]:80' } }, 'http://[::1]'],
    [{ headers: { host: 'a.test:443' }, tls: true }, 'https://a.test'],
    [{ headers: { host: 'a.test:443' } }, 'http://a.test:443'],
    [{ headers: { host: '[0:0::1]' } }, 'http://[::1]'],
    [{ headers: { host: '127.0.0.1:3000' } }, 'http://127.0.0.1:3000'],
    [{ headers: { host: 'a_b-c.test.' } }, 'http://a_b-c.test.'],
    [{ headers: { host: 'xn--bcher-kva.test' } }, 'http://xn--bcher-kva.test'],
    [{ headers: { host: 'a.test' }, tls: true }, 'https://a.test'],
    [{}, 'http://localhost:3000'],
    [{ headers: { host: '' } }, 'http://localhost:3000'],
    [{ url: 'http://b.test/x', headers: { host: 'a.test' } }, 'http://b.test'],
  ])('%o comes from %s', (incoming, expected) => {
    expect(originOf(incoming)).toBe(expected)
  })

  it.each([
    'a b',
    'a/b',
    'a@b',
    'a:x',
    'a.test:123456',
    'a,b',
    '<script>',
    '[::1',
    'a?b',
    'ä',
    '%41',
    ...unparsable,
  ])('the host %j is malformed', (host) => {
    expect(originOf({ headers: { host } })).toBeNull()
  })

  it.each(unparsable)('%j is malformed in absolute form and as a forwarded host', (host) => {
    expect(originOf({ url: `http://${host}/x`, headers: { host: 'a.test' } })).toBeNull()
    const forwardedHost = { host: 'a.test', 'x-forwarded-host': host }
    expect(originOf({ headers: forwardedHost }, true)).toBeNull()
    expect(originOf({ headers: forwardedHost })).toBe('http://a.test')
  })

  it('an absolute form without a host is malformed', () => {
    expect(originOf({ url: 'http:///x', headers: { host: 'a.test' } })).toBeNull()
  })

  it('returns origins in the form of the platform, also for cached hosts', () => {
    const tried = ['a.test', 'A.test:080', '1.2.3', 'a.test:65535', '0x7f.1', 'b~c.test', '[::]:1']
    for (const host of [...tried, ...tried]) {
      const origin = originOf({ headers: { host } })
      expect([host, origin]).toEqual([host, new URL(`http://${host}`).origin])
    }
  })

  const forwarded = {
    host: 'inner',
    'x-forwarded-host': 'evil.test, a.test',
    'x-forwarded-proto': 'http, https',
  }

  it('forwarded headers are ignored by default', () => {
    expect(originOf({ headers: forwarded })).toBe('http://inner')
  })

  it('if proxies are trusted, the nearest proxy decides', () => {
    expect(originOf({ headers: forwarded }, true)).toBe('https://a.test')
  })

  it('forwarded headers are only used from listed peers', () => {
    const proxies = ['10.0.0.0/8', 'fd00::/8']
    expect(originOf({ headers: forwarded, peer: '10.1.2.3' }, proxies)).toBe('https://a.test')
    expect(originOf({ headers: forwarded, peer: '::ffff:10.1.2.3' }, proxies)).toBe(
      'https://a.test',
    )
    expect(originOf({ headers: forwarded, peer: 'fd00::1' }, proxies)).toBe('https://a.test')
    expect(originOf({ headers: forwarded, peer: '11.1.2.3' }, proxies)).toBe('http://inner')
  })

  it('an unknown forwarded scheme is ignored, but a malformed forwarded host is not', () => {
    const scheme = { host: 'a.test', 'x-forwarded-proto': 'javascript' }
    expect(originOf({ headers: scheme }, true)).toBe('http://a.test')
    const host = { host: 'a.test', 'x-forwarded-host': 'a/b' }
    expect(originOf({ headers: host }, true)).toBeNull()
  })

  it('an invalid entry in the list of proxies is refused at the start', () => {
    expect(() => createIsTrustedPeer(['example.com'])).toThrow()
  })
})

describe('readTarget', () => {
  it.each([
    ['/a?b', '/a?b'],
    ['//a', '//a'],
    ['http://a.test/b?c', '/b?c'],
    ['HTTP://a.test', '/'],
    ['http://a.test?c', '/?c'],
    ['*', null],
    ['ftp://a/b', null],
    [undefined, null],
  ])('%s is %s', (url, expected) => {
    expect(readTarget(url)).toBe(expected)
  })
})

/** Serves requests in the form that the handler gets. */
async function serveRequests(see: (request: ServerRequest) => unknown): Promise<number> {
  return startServer(async (req, res) => {
    const request = new NodeRequest(req, res, {
      origin: 'http://a.test',
      target: req.url ?? '',
    })
    res.end(JSON.stringify(await see(request)))
  })
}

describe('NodeRequest', () => {
  it('reads headers by name in any case, and only headers that were sent', async () => {
    const port = await serveRequests(({ headers }) => [
      headers.get('X-One'),
      headers.get('cookie'),
      headers.get('constructor'),
      headers.has('__proto__'),
      headers.has('x-one'),
      [...headers.entries()].length,
    ])
    const lines = ['x-one: 1', 'x-one: 2', 'cookie: a=b', 'cookie: c=d', 'connection: close']
    const received = await exchange(port, requestText('GET', '/', lines))
    expect(received).toContain('["1, 2","a=b; c=d",null,false,true,4]')
  })

  it('can be converted to a Request whose body streams', async () => {
    const port = await serveRequests(async (request) => {
      const web = request.toRequest()
      const pieces: string[] = []
      for await (const piece of web.body ?? []) pieces.push(Buffer.from(piece).toString())
      return [web.method, web.url, web.headers.get('x-one'), pieces.join('')]
    })
    const sent = await fetch(`http://127.0.0.1:${port}/a?b=%20`, {
      method: 'POST',
      body: 'x'.repeat(200_000),
      headers: { 'x-one': '1' },
    })
    expect(await sent.json()).toEqual(['POST', 'http://a.test/a?b=%20', '1', 'x'.repeat(200_000)])
  })

  it('joins a body that arrives byte by byte, because each piece takes hundreds of bytes', async () => {
    const port = await serveRequests(async (request) => {
      const pieces: number[] = []
      for await (const piece of request.toRequest().body ?? []) pieces.push(piece.length)
      return [pieces.reduce((sum, length) => sum + length, 0), pieces.length < 1_000]
    })
    const head = requestText('POST', '/', ['transfer-encoding: chunked', 'connection: close'])
    const received = await exchange(port, `${head}${'1\r\na\r\n'.repeat(50_000)}0\r\n\r\n`, 3_000)
    expect(received).toContain('[50000,true]')
  })

  it('converts a GET with unusual header bytes to a Request', async () => {
    const port = await serveRequests((request) => request.toRequest().headers.get('x-one'))
    const lines = ['x-one: \xe4\xff', 'connection: close']
    expect(await exchange(port, requestText('GET', '//x/y', lines))).toContain('200 OK')
  })

  it('its signal aborts when the client leaves, but not after a complete response', async () => {
    const signals: AbortSignal[] = []
    const port = await startServer((req, res) => {
      const request = new NodeRequest(req, res, { origin: 'http://a.test', target: '/' })
      signals.push(request.signal)
      if (req.url === '/whole') res.end('x')
    })
    await (await fetch(`http://127.0.0.1:${port}/whole`)).text()
    const socket = connect(port, '127.0.0.1', () => socket.write(requestText('GET', '/hang')))
    await until(() => signals.length === 2)
    socket.destroy()
    await until(() => signals[1]?.aborted === true)
    expect(signals[0]?.aborted).toBe(false)
  })

  it('its signal is aborted if it is first read after the client has left', async () => {
    let isAborted: boolean | undefined
    let isReceived = false
    const port = await startServer((req, res) => {
      isReceived = true
      const request = new NodeRequest(req, res, { origin: 'http://a.test', target: '/' })
      res.once('close', () =>
        setTimeout(() => {
          isAborted = request.signal.aborted
        }),
      )
    })
    const socket = connect(port, '127.0.0.1', () => socket.write(requestText('GET', '/')))
    await until(() => isReceived)
    socket.destroy()
    await until(() => isAborted === true)
  })

  it('reading the body rejects if the upload breaks off', async () => {
    let failure: unknown = null
    let isReceived = false
    const port = await startServer((req, res) => {
      isReceived = true
      const request = new NodeRequest(req, res, { origin: 'http://a.test', target: '/' })
      request
        .toRequest()
        .text()
        .catch((thrown: unknown) => {
          failure = thrown
        })
    })
    const head = requestText('POST', '/', ['content-length: 1000'])
    const socket = connect(port, '127.0.0.1', () => socket.write(`${head}abc`))
    await until(() => isReceived)
    socket.destroy()
    await until(() => failure !== null)
    expect(failure).toMatchObject({ code: 'CLIENT_LEFT' })
  })
})
