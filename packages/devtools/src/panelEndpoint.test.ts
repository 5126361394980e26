import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { createPanelEndpoint, type PanelEndpointOptions } from './panelEndpoint.ts'

const unexpected = (): never => {
  throw new Error('not used by the Faults tab')
}
const unused = {
  basePath: '',
  dockPage: unexpected,
  app: {
    docs: [],
    appDir: '',
    routes: { list: unexpected, explain: unexpected },
    journal: { list: unexpected, find: unexpected },
    cache: { list: unexpected, invalidate: unexpected },
    contract: { ofPage: unexpected, whoCanReach: unexpected },
    arrivals: unexpected,
    drill: unexpected,
    replay: unexpected,
    rendering: unexpected,
  },
}
const create = (options: Pick<PanelEndpointOptions, 'loadFaults'>) =>
  createPanelEndpoint({ ...unused, ...options })
const request = {
  method: 'GET',
  headers: { 'sec-fetch-site': 'same-origin' },
  rawHeaders: ['sec-fetch-site', 'same-origin'],
  socket: { remoteAddress: '127.0.0.1' },
} as unknown as IncomingMessage

test('the Faults tab names the package that it needs', async () => {
  const missing = new Error('It needs the package @waymark/testing.')
  const panel = create({ loadFaults: () => Promise.reject(missing) })
  expect(await panel(request, '/faults')).toMatchObject({
    status: 501,
    body: expect.stringContaining('needs the package @waymark/testing'),
  })
})

test('the Faults tab renews the cookie', async () => {
  const faults = { state: { leftMs: 5 }, cookie: 'a=b' }
  const panel = create({ loadFaults: async () => ({ read: () => faults, set: () => null }) })
  const { status, headers } = await panel(request, '/faults')
  expect([status, new Headers([...headers] as [string, string][]).get('set-cookie')]).toEqual([
    200,
    'a=b',
  ])
})
