import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { attributesOf, createTrace, type SentSpan, startCollector } from './harness/collector.ts'
import { describeModes, type Served } from './harness/describeModes.ts'

const collector = await startCollector()
afterAll(() => void collector.stop())

const app = {
  app: 'otel',
  env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.origin, OTEL_BSP_SCHEDULE_DELAY: '50' },
}

/** A request's span, and the spans inside it in the order of their starts. */
type Traced = {
  readonly status: number
  readonly response: Response
  readonly callerId: string
  readonly root: SentSpan
  readonly inside: readonly SentSpan[]
}

/** @param last name of a span that ends after the request's own */
async function traced(
  served: Served,
  path: string,
  init: RequestInit = {},
  last?: string,
): Promise<Traced> {
  const { traceId, callerId, headers } = createTrace()
  const response = await served.fetch(path, { ...init, headers: { ...headers, ...init.headers } })
  const { status } = response
  await response.text()
  return { ...(await findTrace(traceId, callerId, last)), status, response }
}

/** Waits until the collector has a request's span, and the spans inside it. */
async function findTrace(traceId: string, callerId: string, last?: string) {
  const ofTrace = () => collector.spans.filter((span) => span.traceId === traceId)
  const findRoot = () => ofTrace().find(({ parentSpanId }) => parentSpanId === callerId)
  await expect.poll(findRoot).toBeDefined()
  if (last !== undefined) await expect.poll(() => names(ofTrace())).toContain(last)
  const root = findRoot() as SentSpan
  const inside = ofTrace().filter((span) => span !== root)
  return { callerId, root, inside: inside.sort((a, b) => startOf(a) - startOf(b)) }
}

const startOf = ({ startTimeUnixNano }: SentSpan) => Number(BigInt(startTimeUnixNano) / 1_000n)
const endOf = ({ endTimeUnixNano }: SentSpan) => Number(BigInt(endTimeUnixNano) / 1_000n)
const names = (spans: readonly SentSpan[]) => spans.map(({ name }) => name)
const named = (spans: readonly SentSpan[], name: string) => {
  const span = spans.find((each) => each.name === name)
  if (!span) throw new Error(`No span ${name} among ${names(spans).join(', ')}.`)
  return span
}

describeModes('spans', app, (served) => {
  test('a page has its route, its steps and the spans of the app', async () => {
    const { root, inside, status } = await traced(served, '/products/7?token=secret', {}, 'after')
    expect(status).toBe(200)
    expect(root).toMatchObject({ name: 'GET /products/[id]', kind: 2, status: {} })
    expect(attributesOf(root)).toMatchObject({
      'http.request.method': 'GET',
      'http.response.status_code': 200,
      'http.route': '/products/[id]',
      'url.path': '/products/7',
      'url.scheme': 'http',
      'server.address': 'localhost',
      'waymark.kind': 'document',
    })
    expect(JSON.stringify([root, inside])).not.toContain('secret')
    expect(names(inside)).toEqual(
      expect.arrayContaining(['layout layout.tsx', 'metadata', 'html', 'mail']),
    )
    const page = named(inside, 'page products/[id]/page.tsx')
    const read = named(inside, 'cached key:product')
    expect(page.parentSpanId).toBe(root.spanId)
    expect(read.parentSpanId).toBe(page.spanId)
    expect(attributesOf(read)).toMatchObject({ 'waymark.cache': 'miss' })
    expect(named(inside, 'database').parentSpanId).toBe(page.spanId)
    const after = named(inside, 'after')
    expect(after.parentSpanId).toBe(page.spanId)
    expect(named(inside, 'mail').parentSpanId).toBe(after.spanId)
    expect(startOf(page)).toBeGreaterThanOrEqual(startOf(root))
    expect(endOf(page)).toBeLessThanOrEqual(endOf(root))
    const second = await traced(served, '/products/7')
    const hit = named(second.inside, 'cached key:product')
    expect(attributesOf(hit)).toMatchObject({ 'waymark.cache': 'hit' })
  })

  test('page data and a prefetch have the route of the page', async () => {
    const data = await traced(served, '/_waymark/data/products/7.rsc')
    expect(data.root.name).toBe('GET /products/[id]')
    expect(attributesOf(data.root)).toMatchObject({ 'waymark.kind': 'data' })
    const headers = { 'waymark-prefetch': '1' }
    const prefetch = await traced(served, '/_waymark/data/products/7.rsc', { headers })
    expect(attributesOf(prefetch.root)).toMatchObject({
      'waymark.kind': 'prefetch',
      'http.route': '/products/[id]',
    })
  })

  test('proxy.ts is a step, also if it rewrites or responds', async () => {
    const rewritten = await traced(served, '/old/7')
    expect(rewritten.root.name).toBe('GET /products/[id]')
    expect(attributesOf(rewritten.root)).toMatchObject({ 'url.path': '/old/7' })
    expect(names(rewritten.inside)).toContain('proxy')
    const stopped = await traced(served, '/stopped')
    expect(stopped.root).toMatchObject({ name: 'GET', status: {} })
    expect(attributesOf(stopped.root)).toMatchObject({ 'http.response.status_code': 410 })
  })

  test('redirect() and notFound() are no errors', async () => {
    const moved = await traced(served, '/moved')
    expect(moved.root.status).toEqual({ code: 0 })
    expect(attributesOf(moved.root)).toMatchObject({ 'http.response.status_code': 307 })
    const page = named(moved.inside, 'page moved/page.tsx')
    expect(attributesOf(page)).toMatchObject({ 'waymark.signal': 307 })
    const gone = await traced(served, '/gone')
    expect(gone.root.status).toEqual({ code: 0 })
    expect(attributesOf(gone.root)).toMatchObject({ 'http.response.status_code': 404 })
    const unknown = await traced(served, '/nothing/here')
    expect(unknown.root.name).toBe('GET')
    expect(attributesOf(unknown.root)).toMatchObject({ 'http.response.status_code': 404 })
  })

  test('an error has its digest and its class, but no message', async () => {
    const { root, inside, response } = await traced(served, '/failing')
    const digest = response.headers.get('x-waymark-digest')
    expect(root.status).toEqual({ code: 2 })
    expect(attributesOf(root)).toMatchObject({
      'http.response.status_code': 500,
      'waymark.digest': digest,
      'error.type': 'TypeError',
    })
    const page = named(inside, 'page failing/page.tsx')
    expect(page.status).toEqual({ code: 2 })
    expect(JSON.stringify([root, inside])).not.toContain('4242')
  })

  test('a streamed page ends with its last byte', async () => {
    const { root } = await traced(served, '/slow?ms=400')
    expect(endOf(root) - startOf(root)).toBeGreaterThan(390_000)
    expect(attributesOf(root)['http.response.body.size']).toBeGreaterThan(200)
    const late = await traced(served, '/late')
    expect(late.status).toBe(200)
    expect(late.root.status).toEqual({ code: 2 })
    expect(attributesOf(late.root)).toMatchObject({ 'error.type': 'RangeError' })
    expect(attributesOf(late.root)['waymark.digest']).toEqual(expect.any(String))
  })

  test('a client that leaves is no error', async () => {
    const { traceId, callerId, headers } = createTrace()
    const leaving = new AbortController()
    const response = await served.fetch('/slow?ms=60000', { headers, signal: leaving.signal })
    await response.body?.getReader().read()
    leaving.abort()
    const { root } = await findTrace(traceId, callerId)
    expect(root.status).toEqual({ code: 0 })
    expect(attributesOf(root)).toMatchObject({ 'waymark.client_left': true })
    const head = await traced(served, '/slow?ms=50', { method: 'HEAD' })
    expect(attributesOf(head.root)).not.toHaveProperty('waymark.client_left')
  })

  test('an action runs in its own span, after its guards', async () => {
    const html = await (await served.fetch('/acting')).text()
    const [, field = ''] = /name="(\$ACTION_ID_[^"]+)"/.exec(html) ?? []
    const post = (fields: Record<string, string>) => {
      const body = new FormData()
      for (const [name, value] of Object.entries({ [field]: '', ...fields })) body.set(name, value)
      return traced(served, '/acting', {
        method: 'POST',
        body,
        headers: { origin: served.url('') },
      })
    }
    const done = await post({})
    expect(done.root.name).toBe('POST /acting')
    const action = done.inside.find(({ name }) => name.startsWith('action '))
    expect(action?.name).toContain('#order')
    const failed = await post({ fails: 'yes' })
    const failedAction = failed.inside.find(({ name }) => name.startsWith('action '))
    expect(failedAction?.status).toEqual({ code: 2 })
    expect(attributesOf(failed.root)['waymark.digest']).toEqual(expect.any(String))
  })

  test('a route handler and a refusing layout are steps', async () => {
    const api = await traced(served, '/api')
    expect(names(api.inside)).toEqual(['route-handler api/route.ts'])
    const refused = await traced(served, '/private/inner')
    expect(refused.status).toBe(403)
    const layout = named(refused.inside, 'layout private/layout.tsx')
    expect(attributesOf(layout)).toMatchObject({ 'waymark.signal': 403 })
    const headers = { 'waymark-mounted': '/,/private', cookie: 'user=ada' }
    const data = await traced(served, '/_waymark/data/private/inner.rsc', { headers })
    expect(names(data.inside)).toContain('guard private/layout.tsx')
  })

  test('a request has a limited number of spans', async () => {
    const { root, inside } = await traced(served, '/many')
    expect(inside).toHaveLength(20)
    expect(attributesOf(root)['waymark.dropped_steps']).toBeGreaterThan(150)
  })

  test('invalid trace headers start a new trace', async () => {
    const before = collector.spans.length
    const invalid = ['garbage', `00-${'0'.repeat(32)}-${'0'.repeat(16)}-01`, 'ff-1-2-3']
    for (const traceparent of invalid) {
      expect((await served.fetch('/gone', { headers: { traceparent } })).status).toBe(404)
    }
    const roots = () => collector.spans.slice(before).filter(({ name }) => name === 'GET /gone')
    await expect.poll(roots).toHaveLength(invalid.length)
    expect(roots().every(({ parentSpanId }) => !parentSpanId)).toBe(true)
    const tracestate = Array.from({ length: 31 }, (_, n) => `a${n}=${'x'.repeat(320)}`).join(',')
    const long = await traced(served, '/gone', { headers: { tracestate } })
    expect(long.status).toBe(404)
  })
})

describeModes('spans of static pages', { ...app, modes: ['production'] }, (served) => {
  test('a cached page has no steps', async () => {
    const { root, inside, status } = await traced(served, '/static')
    expect(status).toBe(200)
    expect(root.name).toBe('GET /static')
    expect(inside).toEqual([])
    expect(attributesOf(root)).toMatchObject({ 'waymark.page_cache': 'hit' })
  })

  test('the build sends no spans', () => {
    expect(names(collector.spans)).not.toContain('page static/page.tsx')
  })
})

describeModes('an app without otel()', { app: 'core', modes: ['production'] }, (served) => {
  test('has no code of OpenTelemetry', () => {
    const folder = join(served.app.root, '.waymark')
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    const code = files.filter((file) => /\.m?js$/.test(file))
    expect(code.length).toBeGreaterThan(3)
    for (const file of code) {
      expect(readFileSync(join(folder, file), 'utf8')).not.toContain('opentelemetry')
    }
  })
})
