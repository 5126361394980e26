import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import type { SentDocument } from '../http/endpoint.ts'
import { observeDocuments } from './observeRequests.ts'

const servers: ReturnType<typeof createServer>[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections()
})

async function tell(headers: IncomingHttpHeaders, { isLeft = false } = {}) {
  const observed: SentDocument[] = []
  const observer = {
    routeOf: (pathname: string) => (pathname === '/a' ? '/[page]' : null),
    onDocument: (document: SentDocument) => void observed.push(document),
  }
  const server = createServer(
    observeDocuments((_, res) => {
      res.statusCode = 203
      res.write('a')
      if (!isLeft) res.end()
    }, observer),
  )
  servers.push(server)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const sent = request({ host: '127.0.0.1', port, path: '/a?q=1', headers }).end()
  const [response] = await once(sent, 'response')
  if (isLeft) sent.destroy()
  else await once(response.resume(), 'end')
  return observed
}

const opened = { 'sec-fetch-dest': 'document' }

test('a document that a browser opened is reported with its route and status', async () => {
  const observed = await tell(opened)
  await expect.poll(() => observed).toEqual([{ route: '/[page]', status: 203, isCut: false }])
})

test('a document whose client left counts as broken off', async () => {
  const observed = await tell(opened, { isLeft: true })
  await expect.poll(() => observed).toEqual([{ route: '/[page]', status: 203, isCut: true }])
})

test.each([
  ['a fetch of a script', { 'sec-fetch-dest': 'empty' }],
  ['a request without browser headers', {}],
  ['a prefetch', { ...opened, 'sec-purpose': 'prefetch' }],
])('%s is not reported', async (_, headers) => {
  const observed = await tell(headers)
  const later = await tell(opened)
  await expect.poll(() => later).toHaveLength(1)
  expect(observed).toEqual([])
})
