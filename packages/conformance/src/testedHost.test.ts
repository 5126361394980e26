import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createTestedHost, parseResponse } from './testedHost.ts'

test('an endless response to a raw request is an error', async () => {
  const server = createServer((socket) => {
    const write = () => {
      while (!socket.destroyed && socket.write(Buffer.alloc(2 ** 20)));
    }
    socket.on('drain', write).on('error', () => {})
    write()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const host = createTestedHost(`http://127.0.0.1:${port}`, () => Promise.reject(new Error('none')))
  await expect(host.sendRaw('/')).rejects.toThrow('The response is too large.')
})

test('a response has a status, headers and a body', () => {
  const bytes = Buffer.from(
    'HTTP/1.1 404 Not Found\r\nSet-Cookie: a=1\r\nset-cookie: b=2\r\n\r\ntext',
  )
  const { status, headers, text } = parseResponse(bytes)
  expect([status, headers.getSetCookie(), text]).toEqual([404, ['a=1', 'b=2'], 'text'])
})

test('bytes that are no response are an error', () => {
  expect(() => parseResponse(Buffer.from('nothing'))).toThrow('This is no HTTP response: nothing')
})
