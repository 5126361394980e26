import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type InspectedServer, loadDevtools } from './devTools.ts'

let origin = ''
const app = mkdtempSync(join(tmpdir(), 'waymark-bare-'))
const server = createServer()
beforeAll(async () => {
  // Nothing is read of a server without its devtools.
  const devtools = (await loadDevtools(app)).createDevtools({} as InspectedServer)
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
  rmSync(app, { recursive: true })
})

test.each(['mcp', 'events?since=1', 'devtools/', 'devtools/panel/mark.js'])(
  'without the package, /_waymark/%s says which one it needs',
  async (path) => {
    const response = await fetch(`${origin}/_waymark/${path}`)
    expect([response.status, await response.text()]).toEqual([
      501,
      expect.stringContaining('Run npm install @waymark/devtools.'),
    ])
  },
)

test.each(['', '_waymark/data/a.rsc', '_waymark/eventsOf'])(
  'without the package, /%s is for the app',
  async (path) => {
    expect(await (await fetch(`${origin}/${path}`)).text()).toBe('the app')
  },
)
