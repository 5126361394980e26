import { readFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { readCodeBlocks } from '../scripts/guide/codeBlocks.ts'
import { attributesOf, startCollector } from './harness/collector.ts'
import { describeApp } from './harness/describeModes.ts'
import { appPlaces, lookUp } from './harness/digests.ts'

const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'

/** Starts a service that records the headers of the requests that it receives. */
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

const collector = await startCollector()
afterAll(() => void collector.stop())

/** Files of the guide's page about tracing. */
const guide = new URL('../site/app/guide/tracing/page.mdx', import.meta.url)
const guideFiles = Object.fromEntries(
  readCodeBlocks(readFileSync(guide, 'utf8')).flatMap(({ file, code }) =>
    file === null ? [] : [[file, code] as const],
  ),
)

describeApp(
  'a trace',
  {
    app: 'errors',
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.origin, OTEL_BSP_SCHEDULE_DELAY: '100' },
    files: {
      ...guideFiles,
      'app/spans/page.tsx': `import { connection } from 'waymark/server'
import { tracedHeaders } from '../../tracing'

export default async function Page({ searchParams }) {
  await connection()
  const { port } = await searchParams
  const { status } = await fetch('http://127.0.0.1:' + Number(port), { headers: tracedHeaders() })
  return <p>{status}</p>
}
`,
      'proxy.ts': `export default function proxy(request) {
  if (new URL(request.url).pathname === '/thrown-by-proxy') {
    throw new Error('thrown in proxy.ts')
  }
}
`,
    },
  },
  (served) => {
    test('is passed on to a service, and is in the journal', async () => {
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

    test('reaches a collector through OpenTelemetry, as in the guide', async () => {
      const { port, heard } = await startService()
      const headers = { traceparent }
      const [traceId, callerId] = traceparent.split('-').slice(1)
      expect((await served.fetch(`/spans?port=${port}`, { headers })).status).toBe(200)
      const spanId = heard[0]?.traceparent?.toString().split('-')[2]
      const failed = await served.fetch('/page/throw', { headers })
      const digest = failed.headers.get('x-waymark-digest')
      const findFailed = () =>
        collector.spans.find((span) => attributesOf(span)['waymark.digest'] === digest)
      await expect
        .poll(findFailed)
        .toMatchObject({ traceId, parentSpanId: callerId, status: { code: 2 } })
      // The page's code must run in the span of the page.
      const page = collector.spans.find((span) => span.spanId === spanId)
      expect(page).toMatchObject({ traceId, name: 'page spans/page.tsx' })
    })

    test('errors in proxy.ts have their phase and line', async () => {
      for (const path of ['/thrown-by-proxy', '/_waymark/data/thrown-by-proxy.rsc']) {
        const response = await served.fetch(path)
        expect(response.status).toBe(500)
        const digest = response.headers.get('x-waymark-digest') ?? ''
        const entry = await lookUp(served, digest)
        expect(entry).toMatchObject({ phase: 'proxy', path: '/thrown-by-proxy' })
        expect(appPlaces(entry, served.app)[0]).toBe('proxy.ts:3')
      }
    })

    test('Server-Timing is sent in development only', async () => {
      const { headers } = await served.fetch('/page/nothing')
      const timing = headers.get('server-timing')
      if (served.mode === 'production') expect(timing).toBeNull()
      else {
        expect(timing).toMatch(
          /^proxy;dur=[\d.]+, match;dur=[\d.]+, render;dur=[\d.]+, html;dur=[\d.]+, total;dur=[\d.]+, load;desc=\w+$/,
        )
      }
    })
  },
)
