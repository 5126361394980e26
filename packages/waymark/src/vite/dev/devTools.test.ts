import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { HandlerResponse } from '../../http/response.ts'
import { writeResponse } from '../../node/writeResponse.ts'
import { describeRequest, loadDevtools } from './devTools.ts'
import type { InspectedServer } from './inspectedServer.ts'

let origin = ''
const server = createServer()
beforeAll(async () => {
  // Pass an empty object, because without devtools nothing is read from the server.
  const devtools = (await loadDevtools([])).create({} as InspectedServer)
  server.on('request', async (req, res) => {
    const target = req.url ?? ''
    const send = async (response: HandlerResponse) => writeResponse(res, response)
    const received = { req, res, target, send }
    if (await devtools.handle(received)) return
    const description = describeRequest(req, { path: target, target })
    await devtools.follow({ ...received, ...description }, async () => ({
      status: 200,
      headers: [],
      body: 'the app',
    }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.close()
})

test.each(['mcp', 'events?since=1', 'devtools/', 'devtools/panel/mark.js'])(
  'without a devtools package, /_waymark/%s says which package to list',
  async (path) => {
    const response = await fetch(`${origin}/_waymark/${path}`)
    expect([response.status, await response.text()]).toEqual([
      501,
      expect.stringContaining(
        "Run npm install @waymark/devtools, and add to vite.config.ts: import { devtools } from '@waymark/devtools/vite'",
      ),
    ])
  },
)

test.each(['', '_waymark/data/a.rsc', '_waymark/eventsOf'])(
  'without the package, the app responds to /%s',
  async (path) => {
    expect(await (await fetch(`${origin}/${path}`)).text()).toBe('the app')
  },
)

test.each([
  ['GET', '/shop/a?q=x', {}, 'document', '/shop/a?q=…'],
  ['GET', '/shop/_waymark/data/a.rsc', {}, 'data', '/shop/_waymark/data/a.rsc'],
  ['GET', '/shop/_waymark/data/a.rsc', { 'waymark-prefetch': '1' }, 'prefetch', null],
  ['POST', '/shop/a', {}, 'action', '/shop/a'],
  ['GET', '/elsewhere', {}, 'document', '/elsewhere'],
])('%s %s with %j is for: %s', (method, target, headers, kind, maskedTarget) => {
  const path = target.startsWith('/shop') ? target.slice('/shop'.length) : ''
  expect(describeRequest({ method, headers }, { path, target })).toEqual({
    kind,
    maskedTarget: maskedTarget ?? target,
    load: null,
  })
})

test.each([
  ['a-load-1', 'a-load-1'],
  ['no', null],
  ['<script>', null],
])('a request with the load id %s belongs to %s', (sent, load) => {
  const req = { method: 'GET', headers: { 'waymark-load': sent } }
  expect(describeRequest(req, { path: '/', target: '/' }).load).toBe(load)
})
