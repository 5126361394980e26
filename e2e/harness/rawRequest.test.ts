import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { rawRequest } from './rawRequest.ts'

const server = createServer((request, response) => {
  response.setHeader('x-target', request.url ?? '')
  response.write(`${request.method} `)
  request.pipe(response)
})
let origin = ''
beforeEach(async () => {
  await new Promise<void>((resolve) => server.listen(0, resolve))
  origin = `http://localhost:${(server.address() as AddressInfo).port}`
})
afterEach(() => new Promise((resolve) => server.close(resolve)))

test.each(['/a/../b', '//a', '/%E0%A4%A', '/a%00', '/a\\b', '*'])(
  'a raw request sends %s unchanged',
  async (target) => {
    const { status, headers } = await rawRequest(origin, target)
    expect([status, headers.get('x-target')]).toEqual([200, target])
  },
)

test('a raw request sends a body, and joins the chunks of the response', async () => {
  const { body } = await rawRequest(origin, '/', { method: 'POST', body: 'größer' })
  expect(body).toBe('POST größer')
})

test("a raw request returns a server's response to an invalid request line", async () => {
  expect((await rawRequest(origin, '/a b')).status).toBe(400)
})
