import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { exchangeAtCanonicalUrl } from './exchange.ts'

// Redirects to the path with a slash at its end, and responds there with the method and the body.
const server = createServer((request, response) => {
  const { pathname, search } = new URL(request.url ?? '/', 'http://localhost')
  if (pathname === '/away') response.writeHead(308, { location: '/other/' }).end()
  else if (pathname === '/moved') response.writeHead(307, { location: '/moved/' }).end()
  else if (!pathname.endsWith('/')) {
    response.writeHead(308, { location: `${pathname}/${search}` }).end()
  } else request.pipe(response.writeHead(200, { 'x-sent': `${request.method} ${request.url}` }))
})
let origin = ''
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => void server.close())

test('follows a redirect to the same path with a slash, with the method, query and body', async () => {
  const sent = { url: `${origin}/api/ü?a=1`, method: 'POST', headers: {}, body: 'text' }
  const { status, headers, body } = await exchangeAtCanonicalUrl(sent)
  expect({ status, sent: headers.get('x-sent'), body }).toEqual({
    status: 200,
    sent: 'POST /api/%C3%BC/?a=1',
    body: 'text',
  })
})

test.each([
  ['/away', 308],
  ['/moved', 307],
])('does not follow the redirect of %s', async (path, status) => {
  const sent = { url: origin + path, method: 'GET', headers: {}, body: null }
  expect((await exchangeAtCanonicalUrl(sent)).status).toBe(status)
})
