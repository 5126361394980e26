import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { describeModes, type Served } from './harness/describeModes.ts'
import { type RawAnswer, rawRequest } from './harness/rawRequest.ts'

const long = (length: number) => 'a'.repeat(length)

/** Request targets, each with the statuses that are accepted for it. */
const targets: [target: string, ...statuses: number[]][] = [
  ['/%', 400],
  ['/%zz', 400],
  ['/%ff%fe', 400],
  ['/%c0%af', 400],
  ['/%ed%a0%80', 400],
  ['/%u002f', 400],
  ['/a%2fb', 400],
  ['/a%2Fb', 400],
  ['/%2f%2fevil.example', 400],
  ['/a\\b', 400],
  ['/\\evil.example', 400],
  ['/a%5cb', 400],
  ['/%00', 400],
  ['/file.txt%00.html', 400],
  ['/%0d%0aset-cookie:x=1', 400],
  ['/a b', 400],
  ['/é', 308],
  ['/echo/a?x=é', 308],
  ['//evil.example/é', 400],
  ['/\\evil.example/é', 400],
  ['http://evil.example/é', 400],
  ['/echo/é\u0085', 400],
  ['/echo/é\0', 400],
  ['/a#b', 200, 308, 400, 404],
  ['//', 308],
  ['///echo//a//', 308],
  ['//evil.example/a', 308],
  ['/echo/a/', 308],
  ['/echo/./a', 308],
  ['/echo/../echo/a', 308],
  ['/..', 400],
  ['/../package.json', 400],
  ['/../../../../etc/passwd', 400],
  ['/..%2f..%2f..%2fetc/passwd', 400],
  ['/%2e%2e/%2e%2e/%2e%2e/etc/passwd', 400],
  ['/%252e%252e/%252e%252e/etc/passwd', 400],
  // In development, the server also serves the app's sources.
  ['/echo/../package.json', 308, 200],
  ['/file.txt/../../package.json', 400],
  [`/${long(9_000)}`, 414],
  [`/?q=${long(9_000)}`, 414],
  [`/${long(30_000)}`, 414, 431],
  [`/${'a/'.repeat(4_000)}a`, 414],
  [`/${'%25'.repeat(2_500)}`, 404],
  [`/echo/${'%C3%A9'.repeat(1_000)}`, 200],
  ['/?__proto__=1&constructor=2&toString=3', 200],
  ['/echo/__proto__?__proto__[x]=1', 200],
  ['/?a=%zz&b=%00&%ff', 200],
  [`/echo/a?${'a&'.repeat(900)}`, 200],
  [`/echo/a?${'a&'.repeat(4_000)}`, 400],
  ['*', 400],
  ['evil.example:443', 400],
  ['javascript:alert(1)', 400],
  // In development, the server refuses foreign hosts.
  ['http://evil.example/echo/a', 200, 403],
  ['http://evil.example', 200, 403],
  ['http://[::1', 400],
  ['http:///echo', 400, 404],
  ['ftp://evil.example/', 400],
  ['/_waymark', 404],
  ['/_waymark/', 308],
  ['/_waymark/data', 404],
  ['/_waymark/data.rsc', 200],
  ['/_waymark/data/.rsc', 404],
  ['/_waymark/data/a', 404],
  ['/_waymark/data//.rsc', 308],
  ['/_waymark/data/../data.rsc', 308],
  ['/_waymark/data/../../package.json.rsc', 308],
  ['/_waymark/data/%00.rsc', 400],
  ['/_waymark/data/%2f.rsc', 400],
  ['/_waymark/data/_waymark/data/_waymark/data.rsc.rsc.rsc', 404],
  ['/_waymark/data/api/count.rsc', 204, 404],
  ['/_waymark/data/no/such.rsc', 404],
  ['/_waymark/assets/../../../package.json', 308, 404],
  ['/_waymark/assets/%2e%2e/%2e%2e/build.json', 400, 404],
  ['/_waymark/other', 404],
]

const secrets = /root:|"private"|"workspaces"|waymark\/vite|node_modules/

function expectHarmless(served: Served, answer: RawAnswer, sent: string): void {
  expect([sent, answer.status < 500]).toEqual([sent, true])
  // Only a production server must refuse the app's sources. The dev server serves them to
  // debuggers.
  if (served.mode === 'production') {
    expect([sent, secrets.test(answer.body)]).toEqual([sent, false])
  }
  const location = answer.headers.get('location')
  if (location === null) return
  expect([sent, new URL(location, 'http://here.example').host]).toEqual([sent, 'here.example'])
}

describeModes('bad input', { app: 'hostile' }, (served) => {
  describe('bad targets', () => {
    test.each(targets.map(([target, ...statuses]) => [target.slice(0, 60), target, statuses]))(
      '%s',
      async (_, target, statuses) => {
        const answer = await rawRequest(served.app.origin, target as string)
        expectHarmless(served, answer, (target as string).slice(0, 60))
        expect(statuses).toContain(answer.status)
      },
    )

    test('a redirect to the canonical form leads there in one step', async () => {
      const { headers } = await rawRequest(served.app.origin, '/./echo//a%62/../%63/?x=//y')
      expect(headers.get('location')).toBe('/echo/c?x=//y')
      const answer = await rawRequest(served.app.origin, '/echo/c?x=//y')
      expect(answer.status).toBe(200)
    })
  })

  describe('unencoded UTF-8 in a target', () => {
    test.each([
      ['/echo/日本語?x=é', '/echo/%E6%97%A5%E6%9C%AC%E8%AA%9E?x=%C3%A9'],
      ['/echo/a?x=é', '/echo/a?x=%C3%A9'],
    ])(
      '%s is redirected to the one encoded URL, which no cache stores',
      async (target, encoded) => {
        const answer = await rawRequest(served.app.origin, target)
        expect([answer.status, answer.headers.get('location')]).toEqual([308, encoded])
        expect(answer.headers.get('cache-control')).toBe('no-store')
        expect((await rawRequest(served.app.origin, encoded)).status).toBe(200)
      },
    )

    test.each([
      ['a lone byte', '/echo/a?x=\xe9'],
      ['an overlong slash', '/echo/\xc0\xafetc'],
      ['a surrogate', '/echo/a?x=\xed\xa0\x80'],
      ['a line break', '/echo/a?x=\xc3\xa9\r\nx-evil: 1'],
    ])('is refused with %s', async (_title, target) => {
      const text = `GET ${target} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n`
      const received = await exchange(served, text)
      expect(received).toMatch(/^HTTP\/1\.1 400 /)
      expect(received).not.toMatch(/location|x-evil/i)
    })

    test('does not redirect a request that is smuggled behind another one', async () => {
      const first = 'GET /echo/a HTTP/1.1\r\nhost: localhost\r\n\r\n'
      const received = await exchange(served, `${first}GET /echo/\xc3\xa9 HTTP/1.1\r\n\r\n`)
      expect(received).not.toContain(' 308 ')
    })
  })

  describe('bad requests', () => {
    test.each(['TRACE', 'PROPFIND', 'BREW', 'CONNECT', 'M-SEARCH', 'DELETE', 'POST'])(
      '%s is answered with 405 and the allowed methods',
      async (method) => {
        // Skip CONNECT in development, because Vite doesn't respond to it.
        if (served.mode === 'dev' && method === 'CONNECT') return
        const target = method === 'CONNECT' ? 'evil.example:443' : '/'
        const answer = await rawRequest(served.app.origin, target, { method })
        expectHarmless(served, answer, method)
        // Skip BREW in development, because Node doesn't pass unknown methods to the dev server.
        if (served.mode === 'dev' && method === 'BREW') return
        expect([answer.status, answer.headers.get('allow')]).toEqual([
          405,
          expect.stringContaining('GET, HEAD'),
        ])
      },
    )

    test.each([
      'a b',
      'a/b',
      '<script>',
      '"',
      'a:b:c',
      'a:99999999',
      'user@host',
      '[::1',
      '\u00e9',
      '..%2f',
      'x:99999',
      '300.1.1.1',
      '1.2.3.4.5',
      'a.1',
      'xn--a',
      '[1:2]',
      '..',
      '.a.b',
    ])('the host %s is refused', async (host) => {
      const answer = await rawRequest(served.app.origin, '/', { headers: { host } })
      // The dev server refuses unknown hosts itself, with a status of its own.
      expect(served.mode === 'dev' ? [400, 403] : [400]).toContain(answer.status)
    })

    test('a host is required once', async () => {
      const { host } = new URL(served.app.origin)
      const send = (lines: string) => exchange(served, `GET / HTTP/1.1\r\n${lines}\r\n`)
      expect(await send('connection: close\r\n')).toMatch(/^HTTP\/1.1 400/)
      const twice = `host: ${host}\r\nHost: evil.example\r\nconnection: close\r\n`
      expect(await send(twice)).toMatch(/^HTTP\/1.1 400/)
    })

    test('huge and numerous headers are refused or read', async () => {
      const { origin } = served.app
      const huge = await rawRequest(origin, '/', { headers: { 'x-huge': long(100_000) } })
      expect(huge.status).toBe(431)
      const many = Object.fromEntries(Array.from({ length: 900 }, (_, i) => [`x-${i}`, 'y']))
      expect([200, 431]).toContain((await rawRequest(origin, '/', { headers: many })).status)
      const cookie = Array.from({ length: 1_500 }, (_, i) => `c${i}=%zz`).join('; ')
      expect((await rawRequest(origin, '/', { headers: { cookie } })).status).toBe(200)
    })

    test.each([
      { 'waymark-mounted': long(9_000), 'waymark-from': long(9_000).slice(0, 5_000) },
      { 'waymark-mounted': '/,,,%zz,\u00ff', 'waymark-from': '%zz' },
      { 'waymark-from': 'http://evil.example/', 'waymark-final-status': 'x' },
      { 'waymark-from': '/../..', 'waymark-build': 'none', 'waymark-other': 'x' },
      { accept: '*/*;q=x,,;', 'accept-encoding': ';;,q', 'accept-language': '\u00ff' },
      { range: 'bytes=9-1', 'if-none-match': '"', 'if-modified-since': 'yesterday' },
      { 'content-type': 'multipart/form-data', 'next-action': 'x', 'rsc-action': 'x' },
      { 'user-agent': 'Googlebot', cookie: '=;=;;a;__proto__=1', origin: 'null' },
    ])('meaningless headers: %o', async (headers) => {
      for (const target of ['/', '/_waymark/data.rsc', '/file.txt', '/echo/a']) {
        const answer = await rawRequest(served.app.origin, target, { headers })
        expectHarmless(served, answer, target)
        expect([target, [200, 206, 304, 416].includes(answer.status)]).toEqual([target, true])
      }
    })

    test('an ambiguous or invalid body length is refused', async () => {
      const { host } = new URL(served.app.origin)
      const head = `POST /api/body?as=text HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n`
      for (const lines of [
        'content-length: 3\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
        'content-length: 3\r\ncontent-length: 4\r\n\r\nabcd',
        'content-length: -1\r\n\r\n',
        'transfer-encoding: chunked\r\n\r\nzz\r\n',
        'bad header\r\n\r\n',
        'x\u0000y: 1\r\n\r\n',
      ]) {
        expect([lines, await exchange(served, head + lines)]).toEqual([
          lines,
          expect.stringMatching(/^HTTP\/1.1 4\d\d/),
        ])
      }
    })

    test('noise is not a request', async () => {
      for (const noise of ['\r\n\r\n\r\n', '\u0016\u0003\u0001\u0002\u0000', 'GET', long(70_000)]) {
        expect(await exchange(served, `${noise}\r\n\r\n`)).toMatch(/^$|^HTTP\/1.1 4\d\d/)
      }
      expect((await served.fetch('/')).status).toBe(200)
    })
  })

  describe('bad bodies', () => {
    const post = (as: string, type: string, body: string) =>
      rawRequest(served.app.origin, `/api/body?as=${as}`, {
        method: 'POST',
        headers: { 'content-type': type },
        body,
      })

    test.each([
      ['form', 'multipart/form-data', 'a=1'],
      ['form', 'multipart/form-data; boundary=x', 'no part'],
      [
        'form',
        'multipart/form-data; boundary=x',
        '--x\r\ncontent-disposition: nothing\r\n\r\n--x--',
      ],
      ['form', 'text/plain', 'a=1'],
      ['json', 'application/json', '{"a":'],
      ['json', 'application/json', ' '],
    ])('read as %s, %s %j is the client’s mistake', async (as, type, body) => {
      const answer = await post(as, type, body)
      expectHarmless(served, answer, body)
      expect(answer.status).toBe(400)
    })

    test('a handler may still catch it, and its own errors stay server errors', async () => {
      expect((await post('guarded', 'application/json', '{')).body).toBe('"guarded"')
      expect((await post('twice', 'application/json', '{}')).status).toBe(500)
      const good = await post('form', 'application/x-www-form-urlencoded', 'a=1&b=2')
      expect(good.body).toBe('["a","b"]')
    })

    test('a client that leaves while it sends its body does no harm', async () => {
      const { host } = new URL(served.app.origin)
      const head = `POST /api/body?as=text HTTP/1.1\r\nhost: ${host}\r\ncontent-length: 100\r\n\r\n`
      await Promise.all(Array.from({ length: 20 }, () => leave(served, `${head}abc`)))
      expect((await post('text', 'text/plain', 'whole')).body).toBe('"whole"')
    })
  })

  describe('bad code', () => {
    test('a page that throws is a 500, and the process survives', async () => {
      for (let round = 0; round < 3; round++) {
        expect((await served.fetch('/broken')).status).toBe(500)
        expect((await served.fetch('/_waymark/data/broken.rsc')).status).toBe(500)
      }
      expect((await served.fetch('/')).status).toBe(200)
      await expect.poll(served.app.logs).toContain('a page that throws')
    })

    test('an unhandled rejection is logged, and the process survives', async () => {
      expect((await served.fetch('/rejects')).status).toBe(200)
      await expect.poll(() => served.app.logs()).toContain('nobody awaits this')
      expect((await served.fetch('/')).status).toBe(200)
      expect(served.app.exitCode()).toBeNull()
    })
  })
})

/**
 * Sends bytes unchanged.
 * @returns all bytes that the server sent before it closed the connection, or within half a second
 */
function exchange(served: Served, text: string): Promise<string> {
  return new Promise((resolve) => {
    let received = ''
    const socket = connect(served.app.port, 'localhost', () => socket.write(text, 'latin1'))
    socket.setTimeout(500, () => socket.destroy())
    socket.on('data', (piece) => {
      received += piece.toString('latin1')
    })
    // The server may reset the connection if it doesn't understand the bytes.
    socket.on('error', () => resolve(received))
    socket.on('close', () => resolve(received))
  })
}

function leave(served: Served, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(served.app.port, 'localhost', () => {
      socket.write(text, () => socket.resetAndDestroy())
    })
    socket.on('error', reject)
    socket.on('close', () => resolve())
  })
}
