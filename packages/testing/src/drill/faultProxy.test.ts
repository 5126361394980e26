import { createServer, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type FaultProxy, startFaultProxy } from './faultProxy.ts'

const text = '0:{"a":1}\n1:{"b":2}\n'

/** Starts a small app that responds with its name and `text`, in two chunks. */
async function startTarget(name: string, listener?: RequestListener): Promise<Server> {
  const server = createServer((request, response) => {
    if (listener) return listener(request, response)
    response.setHeader('x-app', name)
    response.setHeader('content-length', text.length)
    response.write(text.slice(0, 5))
    setTimeout(() => response.end(text.slice(5)), 10)
  })
  await new Promise<void>((resolve) => server.listen(0, resolve))
  return server
}
const originOf = (server: Server) => `http://localhost:${(server.address() as AddressInfo).port}`

let target: Server
let proxy: FaultProxy
beforeEach(async () => {
  target = await startTarget('first')
  proxy = await startFaultProxy(originOf(target))
})
afterEach(async () => {
  await proxy.stop()
  target.closeAllConnections()
  target.close()
})

const read = async (init?: RequestInit) => (await fetch(`${proxy.origin}/page`, init)).text()

describe('a fault proxy', () => {
  test('forwards and records requests without a fault', async () => {
    const response = await fetch(`${proxy.origin}/page?a=1`)
    expect(response.headers.get('content-length')).toBe(String(text.length))
    expect(await response.text()).toBe(text)
    expect(proxy.requests).toMatchObject([{ method: 'GET', target: '/page?a=1', fault: null }])
  })

  test('forwards the body of a request', async () => {
    await proxy.stop()
    const echo = await startTarget('echo', (request, response) => void request.pipe(response))
    proxy = await startFaultProxy(originOf(echo))
    expect(await read({ method: 'POST', body: 'sent' })).toBe('sent')
    echo.close()
  })

  test("uses a remote app's own host name", async () => {
    await proxy.stop()
    const otherHost = await startTarget('elsewhere', ({ headers }, response) => {
      const { host, origin } = headers
      response.writeHead(303, { location: `http://${host}/next` }).end(`${host} ${origin}`)
    })
    // Use a different name for this machine, so that the proxy treats the server as remote.
    const target = originOf(otherHost).replace('localhost', '0.0.0.0')
    proxy = await startFaultProxy(target)
    const headers = { origin: proxy.origin }
    const response = await fetch(proxy.origin, { redirect: 'manual', method: 'POST', headers })
    expect(response.headers.get('location')).toBe('/next')
    expect(await response.text()).toBe(`${new URL(target).host} ${target}`)
    otherHost.close()
  })

  test('hangs until the client gives up', async () => {
    proxy.inject({ kind: 'hang' })
    await expect(read({ signal: AbortSignal.timeout(100) })).rejects.toThrow(/timeout/)
  })

  test('delays', async () => {
    proxy.inject({ kind: 'delay', ms: 120 })
    const startMs = performance.now()
    expect(await read()).toBe(text)
    expect(performance.now() - startMs).toBeGreaterThan(110)
  })

  test('resets before the first byte', async () => {
    proxy.inject({ kind: 'reset' }, { times: 1 })
    await expect(read()).rejects.toThrow('fetch failed')
    expect(await read()).toBe(text)
  })

  test('lets the server handle the request, and drops the response', async () => {
    await proxy.stop()
    let count = 0
    const counter = await startTarget('counter', (_, response) => void response.end(`${++count}`))
    proxy = await startFaultProxy(originOf(counter))
    proxy.inject({ kind: 'unheard' }, { times: 1 })
    await expect(read({ method: 'POST' })).rejects.toThrow('fetch failed')
    expect(await read()).toBe('2')
    counter.close()
  })

  test('slows the body down', async () => {
    proxy.inject({ kind: 'slow', bytesPerSecond: 100 })
    const startMs = performance.now()
    expect(await read()).toBe(text)
    expect(performance.now() - startMs).toBeGreaterThan(150)
  })

  test('stalls after some bytes, after sending the head', async () => {
    proxy.inject({ kind: 'stall', afterBytes: 3 })
    const response = await fetch(`${proxy.origin}/`)
    const reader = response.body?.getReader()
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('0:{')
    const next = await Promise.race([reader?.read(), sleep(100, 'silence')])
    expect(next).toBe('silence')
    await reader?.cancel()
  })

  test.each([0, 1, 5, 7, 19])('cuts cleanly after %i bytes', async (afterBytes) => {
    proxy.inject({ kind: 'cut', afterBytes, ending: 'clean' })
    expect(await read()).toBe(text.slice(0, afterBytes))
  })

  test('cuts with a reset after some bytes', async () => {
    proxy.inject({ kind: 'cut', afterBytes: 7, ending: 'reset' })
    const response = await fetch(`${proxy.origin}/`)
    expect(response.status).toBe(200)
    await expect(response.text()).rejects.toThrow('terminated')
  })

  test('flips one bit of a byte or of a row', async () => {
    proxy.inject({ kind: 'corrupt', at: { byte: 7 } }, { times: 1 })
    expect(await read()).toBe(text.replace('1', '0'))
    proxy.inject({ kind: 'corrupt', at: { row: 1 } }, { times: 1 })
    expect(await read()).toBe(text.replace('{"b"', 'z"b"'))
  })

  test('delays the end, and flips one bit in it', async () => {
    proxy.inject({ kind: 'corrupt-late', ms: 200, byte: 1 })
    const startMs = performance.now()
    const last = text.charCodeAt(text.length - 1)
    expect(await read()).toBe(text.slice(0, -1) + String.fromCharCode(last ^ 1))
    expect(performance.now() - startMs).toBeGreaterThan(150)
  })

  test('replaces the status and headers, or the whole response', async () => {
    proxy.inject({ kind: 'replace', status: 503, headers: { 'retry-after': '1' } }, { times: 1 })
    const altered = await fetch(`${proxy.origin}/`)
    expect([altered.status, altered.headers.get('retry-after')]).toEqual([503, '1'])
    expect(await altered.text()).toBe(text)
    proxy.inject({ kind: 'replace', body: '<p>Sign in</p>' })
    const replaced = await fetch(`${proxy.origin}/`)
    expect([replaced.status, replaced.headers.get('x-app')]).toEqual([200, null])
    expect(await replaced.text()).toBe('<p>Sign in</p>')
  })

  test('forwards later requests to another app', async () => {
    const second = await startTarget('second')
    proxy.forwardTo(originOf(second))
    expect((await fetch(`${proxy.origin}/`)).headers.get('x-app')).toBe('second')
    second.closeAllConnections()
    second.close()
  })

  test("resets the connection if the app doesn't run", async () => {
    target.closeAllConnections()
    target.close()
    await expect(read()).rejects.toThrow('fetch failed')
  })

  test('forwards WebSockets', async () => {
    target.on('upgrade', (request, socket) => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\n\r\n')
      socket.end(`upgraded ${request.url}`)
    })
    const port = Number(new URL(proxy.origin).port)
    const received = await new Promise<string>((resolve) => {
      const socket = connect(port, 'localhost')
      let answer = ''
      socket.on('data', (chunk) => {
        answer += chunk
      })
      socket.on('close', () => resolve(answer))
      socket.write(
        'GET /hmr HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n',
      )
    })
    expect(received).toContain('upgraded /hmr')
  })
})
