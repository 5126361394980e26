import type { ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import {
  createWaitingBody,
  exchange,
  pieces,
  requestText,
  serveAnswer,
  startServer,
  until,
} from './testing/servers.ts'
import { writeResponse } from './writeResponse.ts'

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

describe('a streamed body', () => {
  it('is sent in order and complete', async () => {
    const body = pieces('a', '', 'b', 'c')
    const port = await serveAnswer(() => ({ status: 200, headers: [], body }))
    const response = await fetch(`http://127.0.0.1:${port}/`)
    expect(response.headers.get('content-length')).toBeNull()
    expect(await response.text()).toBe('abc')
  })

  it('is preceded by its head while it waits', async () => {
    let open = () => {}
    const gate = new Promise<void>((resolve) => {
      open = resolve
    })
    const body = (async function* () {
      await gate
      yield Buffer.from('late')
    })()
    const port = await serveAnswer(() => ({ status: 201, headers: [], body }))
    const response = await fetch(`http://127.0.0.1:${port}/`)
    expect(response.status).toBe(201)
    open()
    expect(await response.text()).toBe('late')
  })

  it.each([
    ['HEAD', 200],
    ['GET', 204],
  ])('is cancelled without being read for %s %i', async (method, status) => {
    const heard: string[] = []
    const body = createWaitingBody(['a'], {
      onNext: () => heard.push('next'),
      onReturn: () => heard.push('return'),
    })
    const port = await serveAnswer(() => ({ status, headers: [], body }))
    await fetch(`http://127.0.0.1:${port}/`, { method })
    expect(heard).toEqual(['return'])
  })

  it('is cancelled if the head can not be sent', async () => {
    let returned = 0
    const body = createWaitingBody([], { onReturn: () => returned++ })
    const port = await serveAnswer(() => ({ status: 200, headers: [['a', '\n']], body }))
    expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(500)
    expect(returned).toBe(1)
  })

  it.each([
    ['rejects', new Error('broken')],
    ['yields something else', 5 as unknown as Uint8Array],
  ])('cuts the connection if it %s', async (_name, last) => {
    const errors: unknown[] = []
    const createBody = async function* () {
      yield Buffer.from('first')
      await wait(20)
      if (last instanceof Error) throw last
      yield last
    }
    const port = await serveAnswer(() => ({ status: 200, headers: [], body: createBody() }), errors)
    const received = await exchange(port, requestText('GET', '/'), 1000)
    expect(received).toContain('first')
    // The last chunk must be missing, because it would make the body look complete.
    expect(received).not.toMatch(/\r\n0\r\n\r\n$/)
    expect(errors).toHaveLength(1)
    const text = fetch(`http://127.0.0.1:${port}/`).then((response) => response.text())
    await expect(text).rejects.toThrow()
  })

  it('cuts the connection if next() throws instead of rejecting', async () => {
    const body: AsyncIterable<Uint8Array> = {
      [Symbol.asyncIterator]: () => ({
        next: () => {
          throw new Error('broken')
        },
      }),
    }
    const errors: unknown[] = []
    const port = await serveAnswer(() => ({ status: 200, headers: [], body }), errors)
    expect(await exchange(port, requestText('GET', '/'), 1000)).not.toContain('\r\n0\r\n')
    expect(errors).toHaveLength(1)
  })

  it.each(['2', '5'])('is cut if it has 3 bytes and its content-length is %s', async (length) => {
    const errors: unknown[] = []
    const body = pieces('ab', 'c')
    const port = await serveAnswer(
      () => ({ status: 200, headers: [['content-length', length]], body }),
      errors,
    )
    await exchange(port, requestText('GET', '/'), 1000)
    await until(() => errors.length === 1)
  })

  it('resets an HTTP/1.0 connection if it fails, because closing is a clean end there', async () => {
    const body = (async function* () {
      yield Buffer.from('first')
      await wait(30)
      throw new Error('broken')
    })()
    const port = await serveAnswer(() => ({ status: 200, headers: [], body }))
    const ending = await new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1', () => socket.write('GET / HTTP/1.0\r\n\r\n'))
      socket.resume()
      socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code))
      socket.on('end', () => resolve('clean end'))
    })
    expect(ending).toBe('ECONNRESET')
  })

  it('is read no faster than the client reads', async () => {
    let pulled = 0
    const body = (async function* () {
      for (; pulled < 10_000; pulled++) yield Buffer.alloc(64 * 1024)
    })()
    const port = await serveAnswer(() => ({ status: 200, headers: [], body }))
    const socket = connect(port, '127.0.0.1', () => socket.write(requestText('GET', '/')))
    socket.pause()
    await wait(300)
    const pulledBefore = pulled
    await wait(200)
    expect(pulled).toBe(pulledBefore)
    expect(pulled).toBeLessThan(1000)
    socket.destroy()
  })

  it('is returned if its client leaves midstream, 500 times, and leaves no listener', async () => {
    let returned = 0
    let settled = 0
    const responses: ServerResponse[] = []
    const port = await startServer(async (_req, res) => {
      responses.push(res)
      const body = createWaitingBody(['x'], { onReturn: () => returned++ })
      await writeResponse(res, { status: 200, headers: [], body })
      settled++
    })
    for (let batch = 0; batch < 10; batch++) {
      await Promise.all(Array.from({ length: 50 }, () => leaveMidstream(port)))
    }
    await until(() => returned === 500 && settled === 500)
    const listening = responses.filter(
      (res) => res.listenerCount('drain') > 0 || res.listenerCount('close') > 1,
    )
    expect(listening).toHaveLength(0)
  })

  it('is returned if the client stops reading', async () => {
    let returned = 0
    const texts = Array.from({ length: 200 }, () => 'x'.repeat(100_000))
    const body = createWaitingBody(texts, { onReturn: () => returned++ })
    const port = await serveAnswer(() => ({ status: 200, headers: [], body }))
    const socket = connect(port, '127.0.0.1', () => socket.write(requestText('GET', '/')))
    socket.pause()
    await wait(100)
    socket.destroy()
    await until(() => returned === 1)
  })
})

function leaveMidstream(port: number): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(requestText('GET', '/')))
    socket.once('data', () => socket.destroy())
    socket.once('close', () => resolve())
  })
}
