import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { browserEncodings, send, sendTimed } from './exchange.ts'

// A server that the doctor examines may be broken or hostile.
async function serve(listener: RequestListener): Promise<URL> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
}

const megabyte = Buffer.alloc(2 ** 20, 'x')

/** Sends megabytes until the client leaves. */
const endless: RequestListener = (_request, response) => {
  const write = () => {
    while (!response.destroyed && response.write(megabyte));
  }
  response.on('drain', write).on('error', () => {})
  write()
}

test('an endless response fails once it is larger than any page', async () => {
  await expect(send(await serve(endless))).rejects.toThrow('it sent more than 16384 KB')
})

test('an endless stream fails', async () => {
  await expect(sendTimed(await serve(endless), {})).rejects.toThrow('it sent more than')
})

test('a small response that decompresses to a large one fails', async () => {
  const bomb = gzipSync(Buffer.alloc(64 * 2 ** 20))
  const url = await serve((_request, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb)
  })
  const options = { headers: { 'accept-encoding': browserEncodings } }
  await expect(sendTimed(url, options)).rejects.toThrow('it sent more than')
})
