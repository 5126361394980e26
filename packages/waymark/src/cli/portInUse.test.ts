import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { encodeIdentity, identityPath } from '../node/serverIdentity.ts'
import { portInUse } from './portInUse.ts'

async function serve(listener: RequestListener): Promise<number> {
  const server = createServer(listener).listen(0)
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

function serveText(path: string, text: string): Promise<number> {
  return serve((req, res) => {
    res.statusCode = req.url === path ? 200 : 404
    res.end(req.url === path ? text : '{"pid":1,"root":"/app"}')
  })
}

test('the dev server of the same folder is named with its address and process', async () => {
  const port = await serveText(identityPath, encodeIdentity({ pid: 123, root: '/app' }))
  const { code, message } = await portInUse(port, '/app')
  expect(code).toBe('ALREADY_RUNNING')
  expect(message).toContain(`http://localhost:${port}`)
  expect(message).toContain('kill 123')
  expect(message).toContain(`--port ${port + 1}`)
})

test.each([
  [
    'of another folder',
    identityPath,
    encodeIdentity({ pid: 123, root: '/b' }),
    '"/b", process 123',
  ],
  ['of waymark start', '/_waymark/health/live', '{"status":"live"}', 'waymark start'],
  ['that answers with anything else', identityPath, '<html>', 'another program'],
  ['that answers without end', identityPath, `"${'x'.repeat(100_000)}"`, 'another program'],
])('a server %s is named', async (_, path, text, user) => {
  const port = await serveText(path, text)
  const { code, message } = await portInUse(port, '/app')
  expect([code, message]).toEqual(['PORT_IN_USE', expect.stringContaining(user)])
})

test('a program that never responds is another program', async () => {
  const port = await serve(() => {})
  expect((await portInUse(port, '/app')).message).toContain('another program')
})
