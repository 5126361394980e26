import type { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import type { HandlerResponse } from '../http/response.ts'
import { exchange, requestText, serveAnswer, startServer } from './testing/servers.ts'
import { writeResponse } from './writeResponse.ts'

const close = ['connection: close']

describe('writeResponse, whole bodies', () => {
  it.each([
    ['a text', 'grüße', '7', 'grüße'],
    ['bytes', Buffer.from('abc'), '3', 'abc'],
    ['nothing', null, '0', ''],
  ])('sends %s with its length', async (_name, body, length, expected) => {
    const port = await serveAnswer(() => ({
      status: 200,
      headers: [['content-length', '999']],
      body,
    }))
    const response = await fetch(`http://127.0.0.1:${port}/`)
    expect(response.headers.get('content-length')).toBe(length)
    expect(await response.text()).toBe(expected)
  })

  it('sends a text in one write with its head', async () => {
    const writes: number[] = []
    const port = await startServer((_req, res) => {
      const socket = res.socket as Socket
      const write = socket._write
      const writev = socket._writev
      socket._write = (...args) => {
        writes.push(1)
        return write.apply(socket, args)
      }
      socket._writev = (chunks, done) => {
        writes.push(chunks.length)
        return writev?.call(socket, chunks, done)
      }
      void writeResponse(res, { status: 200, headers: [], body: Buffer.from('abc') })
    })
    const response = await fetch(`http://127.0.0.1:${port}/`)
    expect(await response.text()).toBe('abc')
    expect(writes).toEqual([1])
  })

  it('sends responses in the order of the requests if these were sent at once', async () => {
    const waiting: (() => void)[] = []
    const port = await startServer((req, res) => {
      const respond = () =>
        void writeResponse(res, { status: 200, headers: [], body: `${req.url}.` })
      if (req.url === '/first') waiting.push(respond)
      else {
        respond()
        for (const respondEarlier of waiting) respondEarlier()
      }
    })
    const requests = requestText('GET', '/first') + requestText('GET', '/second', close)
    expect(await exchange(port, requests)).toMatch(/\/first\.[\s\S]*\/second\.$/)
  })

  it('sends a text over a socket that other code has corked', async () => {
    const port = await startServer((_req, res) => {
      res.socket?.cork()
      void writeResponse(res, { status: 200, headers: [], body: 'abc' })
    })
    expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('abc')
  })

  it('keeps repeated header lines separate', async () => {
    const port = await serveAnswer(() => ({
      status: 200,
      headers: [
        ['set-cookie', 'a=1'],
        ['Set-Cookie', 'b=2'],
      ],
      body: null,
    }))
    const response = await fetch(`http://127.0.0.1:${port}/`)
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
  })

  it('keeps them separate from headers that a middleware has set', async () => {
    const headers: HandlerResponse['headers'] = [
      ['set-cookie', 'a=1'],
      ['set-cookie', 'b=2'],
      ['vary', 'accept'],
      ['content-type', 'text/plain'],
    ]
    const port = await startServer((_req, res) => {
      res.setHeader('Vary', 'Origin').setHeader('Content-Type', 'text/html')
      void writeResponse(res, { status: 200, headers, body: 'abc' })
    })
    const response = await fetch(`http://127.0.0.1:${port}/`)
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
    expect(response.headers.get('vary')).toBe('Origin, accept')
    expect(response.headers.get('content-type')).toBe('text/plain')
    expect(await response.text()).toBe('abc')
  })

  it('responds to HEAD with only the head', async () => {
    const port = await serveAnswer(() => ({ status: 200, headers: [], body: 'abc' }))
    const received = await exchange(port, requestText('HEAD', '/', close))
    expect(received).toMatch(/content-length: 3\r\n/)
    expect(received).toMatch(/\r\n\r\n$/)
  })

  it('keeps the content-length of a response to HEAD without a body', async () => {
    const headers: HandlerResponse['headers'] = [['content-length', '12']]
    const port = await serveAnswer(() => ({ status: 200, headers, body: null }))
    expect(await exchange(port, requestText('HEAD', '/', close))).toContain('content-length: 12')
  })

  it.each([204, 304])('a %i has neither body nor length', async (status) => {
    const headers: HandlerResponse['headers'] = [['content-length', '3']]
    const port = await serveAnswer(() => ({ status, headers, body: 'abc' }))
    const received = await exchange(port, requestText('GET', '/', close))
    expect(received).not.toMatch(/content-length|transfer-encoding|abc/i)
    expect(received).toMatch(/\r\n\r\n$/)
  })

  it('drops the headers that belong to the connection', async () => {
    const headers: HandlerResponse['headers'] = [
      ['Transfer-Encoding', 'chunked'],
      ['Connection', 'upgrade'],
      ['x-one', '1'],
    ]
    const port = await serveAnswer(() => ({ status: 200, headers, body: 'abc' }))
    const received = await exchange(port, requestText('GET', '/', close))
    expect(received).not.toMatch(/chunked|upgrade/)
    expect(received).toMatch(/x-one: 1[\s\S]*\r\n\r\nabc$/)
  })

  it.each([
    ['x-one', 'a\r\nset-cookie: evil=1'],
    ['x-one\r\nset-cookie', 'evil=1'],
    ['x-one', 'a\nb'],
    ['x-one', 'a\0b'],
    ['location', 'http://x/\r\n\r\n<script>'],
    ['x one', 'a'],
    ['x-one', '€'],
  ])('the header %j: %j is an error, not a line', async (name, value) => {
    const errors: unknown[] = []
    const port = await serveAnswer(
      () => ({ status: 200, headers: [[name, value]], body: '' }),
      errors,
    )
    const received = await exchange(port, requestText('GET', '/', close))
    expect(received).toMatch(/^HTTP\/1.1 500/)
    expect(received).not.toMatch(/evil|script/)
    expect(errors).toHaveLength(1)
  })

  it.each([0, 100, 101, 199, 600, 1000, 200.5, Number.NaN])(
    'the status %d is an error',
    async (status) => {
      const port = await serveAnswer(() => ({ status, headers: [], body: '' }))
      expect(await exchange(port, requestText('GET', '/', close))).toMatch(/^HTTP\/1.1 500/)
    },
  )
})
