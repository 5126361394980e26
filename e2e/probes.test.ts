import { expect, test } from 'vitest'
import { actionId } from './harness/actionId.ts'
import { cpuMsOf } from './harness/cpuTime.ts'
import { describeModes, type Served } from './harness/describeModes.ts'
import { rawRequest } from './harness/rawRequest.ts'

/**
 * Probes for the kinds of attacks on server-component frameworks that were published in 2025 and
 * 2026. A probe only checks if an attack would be possible.
 */

type Probe = {
  readonly name: string
  readonly body: string
  /**
   * Acceptable statuses: those that refuse the body, and 200 if the body is read as a plain value.
   */
  readonly statuses: readonly number[]
}

const refused = [400, 409]
const plainOrRefused = [200, 400]

/** Bodies of calls to an action that returns its argument. */
const bodies: readonly Probe[] = [
  // CVE-2025-55182 walks over inherited properties.
  { name: 'a walk to the prototype', body: '["$0:__proto__:then"]', statuses: refused },
  { name: 'a walk to the constructor', body: '["$0:constructor:constructor"]', statuses: refused },
  { name: 'a thenable of the client', body: '[{"then":"$0:then"}]', statuses: plainOrRefused },
  // CVE-2025-55183 reveals the source text of a server function.
  { name: 'a function that is not there', body: '["$h1"]', statuses: refused },
  { name: 'a reference without a body', body: '["$F1"]', statuses: refused },
  // CVE-2025-55184 and -67779 send circular thenables.
  { name: 'a promise of itself', body: '["$@0"]', statuses: [200, ...refused] },
  { name: 'a reference to itself', body: '["$0"]', statuses: [200, ...refused] },
  // CVE-2026-23864, -23869, -23870 and -44907 exhaust the decoder's time or memory.
  { name: 'nesting', body: '['.repeat(50_000), statuses: refused },
  { name: 'closed nesting', body: '['.repeat(5_000) + ']'.repeat(5_000), statuses: plainOrRefused },
  { name: 'long digits', body: `["$n${'9'.repeat(300_000)}"]`, statuses: refused },
  { name: 'a long list', body: `[${'0,'.repeat(400_000)}0]`, statuses: [400, 413] },
  { name: 'too many bytes', body: `["${'x'.repeat(1_200_000)}"]`, statuses: [413] },
  {
    name: 'keys that stand for the prototype',
    body: '[{"__proto__":{"a":1}}]',
    statuses: plainOrRefused,
  },
  { name: 'no JSON', body: '{', statuses: refused },
  { name: 'no list', body: '{"a":1}', statuses: refused },
]

/**
 * Ids of actions that no build has. The first few are names of properties that every object has.
 */
const ids = [
  'constructor',
  '__proto__',
  'toString',
  'hasOwnProperty',
  '#',
  '#echo',
  'x#y',
  '0'.repeat(5000),
]

const smuggled: Record<string, string>[] = [
  { 'x-middleware-subrequest': 'proxy:proxy:proxy:proxy:proxy' },
  { 'x-middleware-subrequest': 'src/middleware:middleware' },
  { 'x-middleware-rewrite': '/other', 'x-middleware-next': '1' },
  { 'x-nextjs-data': '1', 'x-matched-path': '/other' },
  { 'x-vinext-mw-ctx': '{"authorized":true}' },
  { rsc: '1', 'next-router-segment-prefetch': '/_tree', 'next-router-prefetch': '1' },
  { 'x-original-url': '/open', 'x-rewrite-url': '/open', 'x-forwarded-uri': '/open' },
  { 'x-http-method-override': 'GET', 'x-method-override': 'GET' },
  {
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'https',
    forwarded: 'host=evil.example',
  },
]

const mostCpuMs = 50

describeModes('probes of calls', { app: 'actions', modes: ['production'] }, (served) => {
  test.each(bodies)('$name is refused, or read as a plain value', async ({ body, statuses }) => {
    const { answer, cpuMs } = await measured(served, () =>
      call(served, actionId(served.app, 'echo'), body),
    )
    expect(statuses).toContain(answer.status)
    expect(answer.body).not.toMatch(/\bat \S+ \(|function |native code/)
    expect(cpuMs).toBeLessThan(mostCpuMs)
  })

  test.each(ids)('the id %.20s names no action', async (id) => {
    const { answer, cpuMs } = await measured(served, () => call(served, id, '[]'))
    expect([400, 409, 431]).toContain(answer.status)
    expect(cpuMs).toBeLessThan(mostCpuMs)
  })

  test('a call from another site does not run', async () => {
    const id = actionId(served.app, 'note')
    const before = Number(/\d+/.exec((await call(served, id, '["probe"]')).body)?.[0])
    for (const headers of [
      { origin: 'https://evil.example' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'null' },
      { origin: 'https://evil.example', 'x-forwarded-host': 'evil.example' },
      { cookie: 'session=good' },
    ]) {
      const answer = await call(served, id, '["probe"]', { 'sec-fetch-site': '', ...headers })
      expect([headers, answer.status]).toEqual([headers, 403])
    }
    expect((await call(served, id, '["probe"]')).body).toContain(String(before + 1))
  })

  test('prototypes are not polluted', async () => {
    const { body } = await call(served, actionId(served.app, 'echo'), '[{}]')
    expect(body).not.toContain('"a":1')
    expect(served.app.exitCode()).toBeNull()
  })
})

describeModes('probes of guards', { app: 'proxied', modes: ['production'] }, (served) => {
  test.each(smuggled)('%o opens nothing', async (headers) => {
    for (const target of ['/guarded/plan', '/guarded/other', '/_waymark/data/guarded/plan.rsc']) {
      const { answer, cpuMs } = await measured(served, () =>
        rawRequest(served.app.origin, target, { headers }),
      )
      expect([target, answer.body.includes('the guarded')]).toEqual([target, false])
      expect(answer.headers.get('location') ?? '').not.toContain('evil.example')
      expect(cpuMs).toBeLessThan(mostCpuMs)
    }
  })

  test('no header turns a page into page data, or page data into a page', async () => {
    for (const headers of [
      { rsc: '1' },
      { accept: 'text/x-component' },
      { 'x-nextjs-data': '1' },
    ]) {
      const page = await served.fetch('/open', { headers })
      expect(page.headers.get('content-type')).toContain('text/html')
      const vary = page.headers.get('vary') ?? ''
      expect(vary.toLowerCase().replace('accept-encoding', '')).toBe('')
    }
    const data = await served.fetch('/_waymark/data/open.rsc', { headers: { accept: 'text/html' } })
    expect(data.headers.get('content-type')).toContain('text/x-component')
  })
})

function call(served: Served, id: string, body: string, addedHeaders: Record<string, string> = {}) {
  const sent = {
    'waymark-action': id,
    'content-type': 'text/plain;charset=UTF-8',
    'sec-fetch-site': 'same-origin',
    ...addedHeaders,
  }
  const headers = Object.entries(sent).filter(([, value]) => value !== '')
  return rawRequest(served.app.origin, '/', {
    method: 'POST',
    headers: Object.fromEntries(headers),
    body,
  })
}

const repeats = 5

/**
 * Sends a probe several times.
 * @returns the last response, and the server's average CPU time for one probe
 */
async function measured<T>(
  served: Served,
  send: () => Promise<T>,
): Promise<{ answer: T; cpuMs: number }> {
  let answer = await send()
  const before = cpuMsOf(served.app.pid)
  for (let count = 0; count < repeats; count++) answer = await send()
  return { answer, cpuMs: (cpuMsOf(served.app.pid) - before) / repeats }
}
