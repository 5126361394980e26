import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { describeModes } from './harness/describeModes.ts'
import { lookUp, ownPlaces } from './harness/digests.ts'

const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'

/** A service that remembers what it was asked with. */
async function startService(): Promise<{ port: number; heard: IncomingHttpHeaders[] }> {
  const heard: IncomingHttpHeaders[] = []
  const server = createServer((req, res) => {
    heard.push(req.headers)
    res.writeHead(503).end()
  })
  onTestFinished(() => void server.close())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { port: (server.address() as AddressInfo).port, heard }
}

describeModes(
  'a trace',
  {
    app: 'errors',
    files: {
      'proxy.ts': `export default function proxy(request) {
  if (new URL(request.url).pathname === '/thrown-by-proxy') {
    throw new Error('thrown in proxy.ts')
  }
}
`,
    },
  },
  (served) => {
    test('is passed on to a service, and stands in the journal', async () => {
      const { port, heard } = await startService()
      const headers = { traceparent, tracestate: 'a=b', 'x-request-id': 'request-7' }
      const response = await served.fetch(`/outgoing?port=${port}`, { headers })
      expect(response.status).toBe(500)
      expect(heard[0]).toMatchObject({ traceparent, tracestate: 'a=b' })
      const digest = response.headers.get('x-waymark-digest') ?? ''
      const entry = await lookUp(served, digest)
      expect(entry).toMatchObject({ traceparent, requestId: 'request-7' })
      await served.fetch(`/outgoing?port=${port}`, { headers: { traceparent: 'garbage' } })
      expect(heard[1]?.traceparent).toBeUndefined()
    })

    test('errors in proxy.ts have their phase and line', async () => {
      for (const path of ['/thrown-by-proxy', '/_waymark/data/thrown-by-proxy.rsc']) {
        const response = await served.fetch(path)
        expect(response.status).toBe(500)
        const digest = response.headers.get('x-waymark-digest') ?? ''
        const entry = await lookUp(served, digest)
        expect(entry).toMatchObject({ phase: 'proxy', path: '/thrown-by-proxy' })
        expect(ownPlaces(entry, served.app)[0]).toBe('proxy.ts:3')
      }
    })

    test('Server-Timing is sent in development only', async () => {
      const { headers } = await served.fetch('/page/nothing')
      const timing = headers.get('server-timing')
      if (served.mode === 'production') expect(timing).toBeNull()
      else {
        expect(timing).toMatch(
          /^proxy;dur=[\d.]+, match;dur=[\d.]+, render;dur=[\d.]+, html;dur=[\d.]+, total;dur=[\d.]+$/,
        )
      }
    })
  },
)
