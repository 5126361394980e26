import { expect, test } from 'vitest'
import { describeModes, type Served } from './harness/describeModes.ts'
import { type RawAnswer, rawRequest } from './harness/rawRequest.ts'

const data = '/_waymark/data'

/** Ways to write a path in the hope that the guard sees another one than the page does. */
const forms = [
  '/guarded/plan',
  '/guarded/plan?x=1',
  '/guarded/plan?',
  '/guarded/plan/',
  '//guarded/plan',
  '///guarded//plan//',
  '/guarded//plan',
  '/./guarded/plan',
  '/guarded/./plan',
  '/open/../guarded/plan',
  '/open/..//guarded/plan',
  '/guarded/x/../plan',
  '/%67uarded/plan',
  '/%67%75%61%72%64%65%64/plan',
  '/guarded/%70lan',
  '/guarded/pl%61n?a=%62',
  '/guarded%2fplan',
  '/guarded%2Fplan',
  '/%2fguarded/plan',
  '/%2e/guarded/plan',
  '/open/%2e%2e/guarded/plan',
  '/open/.%2e/guarded/plan',
  '/guarded\\plan',
  '/\\guarded/plan',
  '/guarded%5cplan',
  '/guarded/plan%00',
  '/guarded/plan%20',
  '/guarded/plan#x',
  '/guarded/plan;x=1',
  '/guarded;x=1/plan',
  '/guarded/plan.',
  '/GUARDED/plan',
  '/Guarded/Plan',
  '/%2567uarded/plan',
  '/%252fguarded/plan',
  '/guarded/plan.html',
  '/guarded/plan/index.html',
  '/guarded/plan.rsc',
  '/_waymark/pages/guarded/plan.html',
  '/pages/guarded/plan.html',
  '/.waymark/pages/guarded/plan.html',
  '/_waymark/assets/../../guarded/plan',
  `${data}/guarded/plan.rsc`,
  `${data}/guarded/plan.rsc?x=1`,
  `${data}/guarded/plan.rsc/`,
  `${data}//guarded/plan.rsc`,
  `/${data}/guarded/plan.rsc`,
  '/_waymark//data/guarded/plan.rsc',
  `${data}/./guarded/plan.rsc`,
  `${data}/open/../guarded/plan.rsc`,
  `${data}/%67uarded/plan.rsc`,
  `${data}/guarded/plan%2ersc`,
  '/_waymark/%64ata/guarded/plan.rsc',
  '/%5fwaymark/data/guarded/plan.rsc',
  `${data}/guarded%2fplan.rsc`,
  `${data}/guarded/plan.RSC`,
  `${data}${data}/guarded/plan.rsc.rsc`,
  '/guarded/other',
  '/%67uarded/other',
  `${data}/guarded/other.rsc`,
  '/guarded/api',
  '/guarded/%61pi',
]

const headerSets: Record<string, string>[] = [
  {},
  { 'waymark-held': '/,/guarded,/guarded/plan', 'waymark-from': '/guarded/plan' },
  { 'waymark-from': '/open', 'waymark-settle': '1' },
  { 'x-middleware-subrequest': 'proxy:proxy:proxy', 'x-waymark-proxied': '1' },
  { 'x-forwarded-host': 'guarded.example', 'x-original-url': '/open', 'x-rewrite-url': '/open' },
  { accept: 'text/x-component', rsc: '1', purpose: 'prefetch', 'sec-purpose': 'prefetch' },
  { 'accept-encoding': 'br, gzip, zstd', 'if-none-match': '*', range: 'bytes=0-20' },
  { cookie: 'session=bad' },
]

describeModes('a guard in proxy.ts', { app: 'proxied' }, (served) => {
  test('keeps out whoever it does not know', async () => {
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

  test('lets in whoever it knows', async () => {
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

  test.each(headerSets)('is passed by no form of the path, with %o', async (headers) => {
    const methods = headers === headerSets[0] ? ['GET', 'HEAD', 'POST'] : ['GET']
    for (const method of methods) {
      await Promise.all(forms.map((target) => expectKeptOut(served, target, { method, headers })))
    }
  })

  test('is passed by no target in absolute form', async () => {
    const { origin } = served.app
    await expectKeptOut(served, `${origin}/guarded/plan`)
    await expectKeptOut(served, 'http://elsewhere.example/guarded/plan')
    await expectKeptOut(served, 'HTTP://elsewhere.example//guarded/plan')
  })
})

async function expectKeptOut(
  served: Served,
  target: string,
  options: { method?: string; headers?: Record<string, string> } = {},
): Promise<void> {
  const answer = await rawRequest(served.app.origin, target, options)
  expectRefused(answer, target)
  const location = answer.headers.get('location')
  if (answer.status !== 308 || location === null) return
  // The canonical form is where such a redirect leads, and it is refused like any other.
  expectRefused(await rawRequest(served.app.origin, location, options), location)
}

function expectRefused({ status, body, headers }: RawAnswer, target: string): void {
  expect([target, body.includes('the guarded')]).toEqual([target, false])
  expect([target, status < 500]).toEqual([target, true])
  const isRefused = status >= 300 || headers.get('content-length') === '0'
  expect([target, status, isRefused]).toEqual([target, status, true])
}
