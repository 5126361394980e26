import { expect, test } from 'vitest'
import { createBufferedHandler, type FunctionOptions } from './handler.ts'

type Handle = FunctionOptions['server']['handle']

/** Creates a function whose app is only this handler. */
function functionOf(handle: Handle) {
  const server = {
    handle,
    basePath: '',
    allowedHosts: null,
    isProxiedFile: () => false,
    appSecrets: () => [],
    attachBuilt: () => {},
    register: async () => {},
    reportOutside: () => {},
  } as unknown as FunctionOptions['server']
  const contents = { builtAtMs: 0, files: {}, pages: {}, shells: {}, notFound: null }
  return createBufferedHandler({ server, stores: {}, contents, folder: '' })
}

const event = {
  rawPath: '/',
  rawQueryString: '',
  headers: {},
  isBase64Encoded: false,
  requestContext: {
    domainName: 'example.com',
    http: { method: 'GET', sourceIp: '203.0.113.7' },
  },
}

test('work that never ends does not hold back the response until the time limit', async () => {
  const handler = await functionOf(async (request) => {
    request.waitUntil?.(new Promise(() => {}))
    return { status: 200, headers: [], body: 'response' }
  })
  const endsAtMs = performance.now() + 2_500
  const context = {
    callbackWaitsForEmptyEventLoop: true,
    getRemainingTimeInMillis: () => endsAtMs - performance.now(),
  }
  const result = await handler(event, context)
  expect(Buffer.from(result.body, 'base64').toString()).toBe('response')
  expect(performance.now()).toBeLessThan(endsAtMs)
})
