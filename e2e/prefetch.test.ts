import { expect, test } from 'vitest'
import { describeApp } from './harness/describeModes.ts'
import type { Fault, ProxiedRequest } from './harness/faults/fault.ts'
import { proxyBefore } from './harness/faults/proxyBefore.ts'
import { hydrated } from './harness/hydrated.ts'
import { openPage, type Visit } from './harness/page.ts'
import { documentId, heading, pathOf, visit } from './harness/visit.ts'

const isPrefetch = ({ headers }: ProxiedRequest) => 'waymark-prefetch' in headers

/** Records the paths of all pages that a visited page prefetches. */
function recordPrefetches({ page }: Visit): string[] {
  const prefetched: string[] = []
  page.on('request', (request) => {
    if (!('waymark-prefetch' in request.headers())) return
    prefetched.push(new URL(request.url()).pathname.slice('/_waymark/data'.length, -'.rsc'.length))
  })
  return prefetched
}

async function settled(prefetched: readonly string[]): Promise<void> {
  await expect.poll(() => prefetched.length).toBeGreaterThan(0)
  let seen = -1
  while (seen !== prefetched.length) {
    seen = prefetched.length
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}

describeApp('prefetching', { app: 'navigation' }, (served) => {
  const proxy = proxyBefore(served, ['/far', '/many', '/toward', '/still', '/a', '/item/1'])

  test('starts for links up to 200 px below the screen', async () => {
    const visited = await openPage(proxy.now, { viewport: { width: 800, height: 600 } })
    const prefetched = recordPrefetches(visited)
    await visited.page.goto('/far')
    await settled(prefetched)
    expect(prefetched).toEqual(['/item/199'])
    await visited.page.evaluate(() => window.scrollTo(0, 10))
    await expect.poll(() => prefetched).toEqual(['/item/199', '/item/201'])
  })

  test('fetches at most 24 of 500 links, each once', async () => {
    const visited = await openPage(proxy.now, { viewport: { width: 1000, height: 900 } })
    const prefetched = recordPrefetches(visited)
    await visited.page.goto('/many')
    await expect.poll(() => prefetched.length).toBe(24)
    await settled(prefetched)
    expect(prefetched.length).toBe(24)
    expect(new Set(prefetched).size).toBe(24)
  })

  test('makes at most 4 requests at the same time', async () => {
    const rule = proxy.now.inject({ kind: 'hang' }, { match: isPrefetch })
    const { page } = await openPage(proxy.now)
    await page.goto('/many')
    await expect.poll(() => rule.hits).toBe(4)
    await page.waitForTimeout(500)
    expect(rule.hits).toBe(4)
  })

  test('a prefetched static page is shown without a request', async () => {
    const visited = await openPage(proxy.now)
    const prefetched = recordPrefetches(visited)
    const { page } = visited
    await page.goto('/toward')
    await settled(prefetched)
    expect(prefetched).toEqual(['/still'])
    const before = proxy.now.requests.length
    await page.getByRole('link', { name: 'To a still page' }).click()
    await heading(page, 'Still').waitFor()
    const targets = proxy.now.requests.slice(before).map(({ target }) => target)
    const requests = targets.filter((target) => target.startsWith('/_waymark/data/still'))
    // In development, no page is prefetched completely, because each request renders its page.
    expect(requests.length).toBe(served.mode === 'dev' ? 1 : 0)
  })

  test('on intent fetches links outside the viewport; data-prefetch="false" prevents it', async () => {
    const visited = await openPage(proxy.now, { viewport: { width: 800, height: 600 } })
    const prefetched = recordPrefetches(visited)
    const { page } = visited
    await page.goto('/far')
    await settled(prefetched)
    await page.getByRole('link', { name: 'never' }).hover()
    await page.getByRole('link', { name: 'far below' }).focus()
    await expect.poll(() => prefetched).toContain('/item/far')
    await page.evaluate(() => window.scrollTo(0, 0))
    await page.getByRole('link', { name: '201 px below' }).dispatchEvent('touchstart')
    await expect.poll(() => prefetched).toContain('/item/201')
    expect(prefetched).not.toContain('/item/never')
  })

  const frugal = {
    'on a connection that saves data': () =>
      Object.defineProperty(navigator, 'connection', { value: { saveData: true } }),
    'on a slow connection': () =>
      Object.defineProperty(navigator, 'connection', { value: { effectiveType: 'slow-2g' } }),
    'in a hidden tab': () =>
      Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' }),
  }
  test.each(Object.entries(frugal))('%s, only intent fetches', async (_, makeFrugal) => {
    const visited = await openPage(proxy.now)
    const prefetched = recordPrefetches(visited)
    const { page } = visited
    await page.addInitScript(makeFrugal)
    await page.goto('/toward')
    // Wait for hydration, because the router must have loaded before it can react to the pointer.
    await hydrated(page)
    await page.waitForFunction(() => 'router' in window)
    await page.waitForTimeout(500)
    expect(prefetched).toEqual([])
    await page.getByRole('link', { name: 'To a still page' }).hover()
    await expect.poll(() => prefetched).toEqual(['/still'])
  })

  const storms: Readonly<Record<string, Fault>> = {
    'the same wrong answer': { kind: 'replace', status: 200, body: '<h1>Sign in</h1>' },
    'a server that says "not now"': {
      kind: 'replace',
      status: 503,
      headers: { 'retry-after': '30' },
      body: '',
    },
  }
  test.each(Object.entries(storms))(
    '%s ends prefetching, even of other pages',
    async (_, fault) => {
      const rule = proxy.now.inject(fault, { match: isPrefetch })
      const { page, link } = await visit(proxy.now, '/many')
      await expect.poll(() => rule.hits).toBeGreaterThan(2)
      // Wait until requests that were already running have completed. No further request may
      // follow.
      await page.waitForLoadState('networkidle')
      expect(rule.hits).toBeLessThanOrEqual(7)
      const before = rule.hits
      await page.getByRole('link', { name: '499', exact: true }).hover()
      await link('Alpha')
      await heading(page, 'Alpha').waitFor()
      await page.evaluate(() => window.router.push('/toward'))
      await heading(page, 'Toward').waitFor()
      await page.waitForTimeout(500)
      expect(rule.hits).toBe(before)
    },
  )

  const faults: Readonly<Record<string, Fault>> = {
    hangs: { kind: 'hang' },
    reset: { kind: 'reset' },
    cut: { kind: 'cut', afterBytes: 300, ending: 'clean' },
    'one byte flipped': { kind: 'corrupt', at: { byte: 200 } },
    'a portal’s page': { kind: 'replace', status: 200, body: '<h1>Sign in</h1>' },
    'not now': { kind: 'replace', status: 503, headers: { 'retry-after': '5' }, body: '' },
  }
  test.each(Object.entries(faults))(
    'a prefetched response that is %s is not used',
    async (_, fault) => {
      const rule = proxy.now.inject(fault, { match: isPrefetch })
      const { page, link, first } = await visit(proxy.now, '/toward')
      await expect.poll(() => rule.hits).toBeGreaterThan(0)
      await link('To a still page')
      await heading(page, 'Still').waitFor()
      expect([pathOf(page), await documentId(page)]).toEqual(['/still', first])
    },
  )
})
