import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { createHandler, type FunctionOptions } from './handler.ts'

type AppRequest = Parameters<FunctionOptions['server']['handle']>[0]

/** Starts a function whose app responds with the URL of the request. */
async function startFunction(): Promise<number> {
  const server = {
    handle: async ({ origin, target }: AppRequest) => ({
      status: 200,
      headers: [],
      body: origin + target,
    }),
    basePath: '',
    allowedHosts: null,
    isProxiedFile: () => false,
    appSecrets: () => [],
    attachBuilt: () => {},
    register: async () => {},
    reportOutside: () => {},
  } as unknown as FunctionOptions['server']
  const contents = { builtAtMs: 0, files: {}, pages: {}, shells: {}, notFound: null }
  const options = { server, stores: {}, contents, folder: '', maxDuration: 10 }
  const listening = createServer(await createHandler(options)).listen(0, '127.0.0.1')
  await once(listening, 'listening')
  onTestFinished(() => void listening.close())
  return (listening.address() as AddressInfo).port
}

test.each([
  ['/a', 'https://app.example/a'],
  ['//evil.example/a', 'https://app.example//evil.example/a'],
  ['http://evil.example/a', '400 Bad Request'],
  ['*', '400 Bad Request'],
])('the target %s results in %s', async (target, body) => {
  const socket = connect(await startFunction(), '127.0.0.1')
  const method = target === '*' ? 'OPTIONS' : 'GET'
  socket.write(`${method} ${target} HTTP/1.1\r\nhost: app.example\r\nconnection: close\r\n\r\n`)
  expect(await text(socket)).toContain(body)
})
