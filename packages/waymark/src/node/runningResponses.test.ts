import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createRunningResponses } from './runningResponses.ts'

test('a connection has a response from its request until that response is sent', async () => {
  const running = createRunningResponses()
  const seen: [socket: Socket, res: ServerResponse][] = []
  const server = createServer((req, res) => {
    running.add(res)
    seen.push([req.socket, res])
    res.write('first ')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo

  for (let count = 1; count <= 2; count++) {
    const response = await fetch(`http://127.0.0.1:${port}`)
    const [socket, res] = seen.at(-1) ?? []
    if (!socket || !res) throw new Error('No request has arrived.')
    expect(running.of(socket)).toBe(res)
    res.end('last')
    expect(await response.text()).toBe('first last')
    expect(running.of(socket)).toBe(null)
  }
})
