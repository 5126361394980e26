import { expect, test } from 'vitest'
import { describeApp, type Served } from './harness/describeModes.ts'
import { pathForms } from './harness/pathForms.ts'
import { type RawAnswer, rawRequest } from './harness/rawRequest.ts'

const data = '/_waymark/data'

const forms = [
  ...pathForms('/guarded/plan'),
  '/guarded/other',
  '/%67uarded/other',
  `${data}/guarded/other.rsc`,
  '/guarded/api',
  '/guarded/%61pi',
]

const call = {
  'waymark-action': 'x#y',
  'sec-fetch-site': 'same-origin',
  'content-type': 'text/plain;charset=UTF-8',
}

const headerSets: Record<string, string>[] = [
  {},
  { 'waymark-mounted': '/,/guarded,/guarded/plan', 'waymark-from': '/guarded/plan' },
  { 'waymark-from': '/open', 'waymark-final-status': '1' },
  { 'x-middleware-subrequest': 'proxy:proxy:proxy', 'x-waymark-proxied': '1' },
  { 'x-forwarded-host': 'guarded.example', 'x-original-url': '/open', 'x-rewrite-url': '/open' },
  { accept: 'text/x-component', rsc: '1', purpose: 'prefetch', 'sec-purpose': 'prefetch' },
  { 'accept-encoding': 'br, gzip, zstd', 'if-none-match': '*', range: 'bytes=0-20' },
  { cookie: 'session=bad' },
  { 'waymark-prefetch': '1', 'waymark-nonce': 'A'.repeat(22) },
  { ...call, 'waymark-from': '/open', 'waymark-idempotency-key': 'a'.repeat(20) },
]

test('the table has enough spellings of a path', () => {
  expect(new Set(forms).size).toBeGreaterThanOrEqual(60)
})

describeApp('a guard in proxy.ts', { app: 'proxied' }, (served) => {
  test('refuses unknown users', async () => {
    for (const path of ['/guarded/plan', '/guarded/other', '/guarded/api']) {
      const response = await served.fetch(path)
      expect([response.status, response.headers.get('location')]).toEqual([
        307,
        `/login?from=${encodeURIComponent(path)}`,
      ])
    }
    const response = await served.fetch(`${data}/guarded/plan.rsc`)
    expect([response.status, response.headers.get('location')]).toEqual([
      307,
      `${data}/login.rsc?from=%2Fguarded%2Fplan`,
    ])
  })

  test('admits known users', async () => {
    const headers = { cookie: 'session=good' }
    for (const [path, text] of [
      ['/guarded/plan', '<h1>the guarded plan</h1>'],
      [`${data}/guarded/plan.rsc`, 'the guarded plan'],
      ['/guarded/other', 'the guarded <!-- -->other'],
      ['/guarded/api', 'the guarded answer'],
    ] as const) {
      const response = await served.fetch(path, { headers })
      expect([path, response.status]).toEqual([path, 200])
      expect(await response.text()).toContain(text)
    }
  })

  test.each(headerSets)(
    "can't be bypassed by any spelling of the path, with %o",
    async (headers) => {
      const others = 'waymark-action' in headers ? ['POST'] : []
      const methods =
        headers === headerSets[0] ? ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT'] : ['GET', ...others]
      for (const method of methods) {
        await Promise.all(forms.map((target) => expectDenied(served, target, { method, headers })))
      }
    },
  )

  test("can't be bypassed by a target in absolute form", async () => {
    const { origin } = served.app
    await expectDenied(served, `${origin}/guarded/plan`)
    await expectDenied(served, 'http://elsewhere.example/guarded/plan')
    await expectDenied(served, 'HTTP://elsewhere.example//guarded/plan')
  })
})

async function expectDenied(
  served: Served,
  target: string,
  options: { method?: string; headers?: Record<string, string> } = {},
): Promise<void> {
  const answer = await rawRequest(served.app.origin, target, options)
  expectRefused(answer, target)
  const location = answer.headers.get('location')
  if (answer.status !== 308 || location === null) return
  // A refused spelling may redirect to the canonical form of the path, which must be refused as
  // well.
  expectRefused(await rawRequest(served.app.origin, location, options), location)
}

function expectRefused({ status, body, headers }: RawAnswer, target: string): void {
  expect([target, body.includes('the guarded')]).toEqual([target, false])
  expect([target, status < 500]).toEqual([target, true])
  // Action calls report a redirect in the response's body. For page data, a redirect leads to page
  // data.
  const isSentAway = /"location":"(?:\/_waymark\/data)?\/login/.test(body)
  const isEmpty = status === 204 || headers.get('content-length') === '0'
  const isRefused = status >= 300 || isEmpty || isSentAway
  expect([target, status, isRefused]).toEqual([target, status, true])
}
