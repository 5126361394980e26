import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type InspectedServer, loadDevtools } from './devTools.ts'

let origin = ''
const server = createServer()
beforeAll(async () => {
  // Nothing is read of a server without its devtools.
  const devtools = (await loadDevtools([])).create({} as InspectedServer)
  server.on('request', async (req, res) => {
    const received = { req, res, target: req.url ?? '' }
    if (await devtools.handle(received)) return
    await devtools.follow(received, async () => ({ status: 200, headers: [], body: 'the app' }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.close()
})

test.each(['mcp', 'events?since=1', 'devtools/', 'devtools/panel/mark.js'])(
  'without a package that has devtools, /_waymark/%s says which one it needs',
  async (path) => {
    const response = await fetch(`${origin}/_waymark/${path}`)
    expect([response.status, await response.text()]).toEqual([
      501,
      expect.stringContaining(
        "Run npm install @waymark/devtools, and write in vite.config.ts: import { devtools } from '@waymark/devtools/vite'",
      ),
    ])
  },
)

test.each(['', '_waymark/data/a.rsc', '_waymark/eventsOf'])(
  'without the package, /%s is for the app',
  async (path) => {
    expect(await (await fetch(`${origin}/${path}`)).text()).toBe('the app')
  },
)
