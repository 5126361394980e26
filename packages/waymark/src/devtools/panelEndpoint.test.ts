import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { createPanelEndpoint, type PanelEndpointOptions } from './panelEndpoint.ts'

const create = (options: Pick<PanelEndpointOptions, 'loadFaults'>) =>
  createPanelEndpoint({ ...options, isSameOrigin: () => true } as PanelEndpointOptions)
const request = { method: 'GET', headers: {} } as IncomingMessage

test('the tab of faults says which package it needs', async () => {
  const missing = new Error('It needs the package @waymark/testing.')
  const panel = create({ loadFaults: () => Promise.reject(missing) })
  expect(await panel(request, '/faults')).toMatchObject({
    status: 501,
    body: expect.stringContaining('needs the package @waymark/testing'),
  })
})

test('the tab of faults has the cookie that keeps them on', async () => {
  const found = { state: { leftMs: 5 }, cookie: 'a=b' }
  const panel = create({ loadFaults: async () => ({ read: () => found, set: () => null }) })
  const { status, headers } = await panel(request, '/faults')
  expect([status, new Headers([...headers] as [string, string][]).get('set-cookie')]).toEqual([
    200,
    'a=b',
  ])
})
