import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { describeApp } from './harness/describeModes.ts'
import type { Fault, ProxiedRequest } from './harness/faults/fault.ts'
import { proxyBefore } from './harness/faults/proxyBefore.ts'
import { body } from './harness/faults/wrongAnswers.ts'
import { documentId, heading, pathOf, visit } from './harness/visit.ts'

const probeType = 'application/vnd.waymark.probe'

// Use long timeouts, so that no deadline passes within a test. A page that arrives was then loaded
// by a retry.
const files = {
  'vite.config.ts': `import { waymark } from 'waymark/vite'

export default {
  plugins: [waymark({ navigation: { timeoutMs: 60_000, unattendedMs: 60_000, hardCapMs: 90_000 } })],
}
`,
}

const isData = (name: string) => (request: ProxiedRequest) =>
  request.target.startsWith(`/_waymark/data/${name}.rsc`)
const ofPage = (request: ProxiedRequest) => isData('a')(request) || request.target === '/a'

/** Records the kind of each request that a page makes for `/a`, not counting prefetches. */
function recordRequests(page: Page): string[] {
  const kinds: string[] = []
  page.on('request', (request) => {
    if ('waymark-prefetch' in request.headers()) return
    const { pathname } = new URL(request.url())
    const isProbe = request.headers().accept === probeType
    if (pathname === '/a') kinds.push(isProbe ? 'probe' : 'document')
    if (pathname === '/_waymark/data/a.rsc') kinds.push('data')
  })
  return kinds
}

/** Counts the notices that appear after this call. */
async function countNotices(page: Page): Promise<() => Promise<number>> {
  const noticeSet = await page.evaluateHandle(() => {
    const notices = new Set<Element>()
    new MutationObserver(() => {
      for (const notice of document.querySelectorAll('[data-waymark-notice]')) notices.add(notice)
    }).observe(document, { childList: true, subtree: true })
    return notices
  })
  return () => noticeSet.evaluate((notices) => notices.size)
}

describeApp('a navigation that fails is retried', { app: 'navigation', files }, (served) => {
  const proxy = proxyBefore(served, ['/', '/a', '/b', '/circle', '/parts'])

  const faults: Readonly<Record<string, Fault>> = {
    'a reset': { kind: 'reset' },
    'a reset in the middle': { kind: 'cut', afterBytes: 900, ending: 'reset' },
    'a cut': { kind: 'cut', afterBytes: 900, ending: 'clean' },
    'a 502': body('<h1>Bad Gateway</h1>', 502),
    'a 503': body('<h1>Service Unavailable</h1>', 503),
  }
  test.each(Object.entries(faults))('%s, three times: no notice, no document', async (_, fault) => {
    const { page, link, first } = await visit(proxy.now, '/')
    const notices = await countNotices(page)
    const requests = recordRequests(page)
    proxy.now.inject(fault, { match: ofPage, times: 3 })
    await link('Alpha')
    await heading(page, 'Alpha').waitFor()
    expect([pathOf(page), await documentId(page), await notices()]).toEqual(['/a', first, 0])
    // Allow repeated requests, because Chromium repeats a request that is reset on a reused
    // connection.
    expect(new Set(requests)).toEqual(new Set(['data']))
    expect(requests.length).toBeLessThanOrEqual(4)
    expect(await page.evaluate(() => window.events)).not.toContain('error /a')
  })

  test('a server that is gone for longer gets few requests, none of which renders a page', async () => {
    const { page, link, first } = await visit(proxy.now, '/')
    await page.getByLabel('Draft').fill('precious')
    const notices = await countNotices(page)
    const requests = recordRequests(page)
    proxy.now.forwardTo('http://localhost:9')
    await link('Alpha')
    await expect.poll(notices).toBeGreaterThan(0)
    proxy.now.forwardTo(served.app.origin)
    await heading(page, 'Alpha').waitFor()
    expect(await documentId(page)).toBe(first)
    expect(requests.length).toBeLessThanOrEqual(8)
    expect(requests.filter((kind) => kind !== 'data')).toEqual(['probe'])
    await page.goBack()
    expect(await page.getByLabel('Draft').inputValue()).toBe('precious')
  })

  test('page data that never completes ends in a document, after a probe that renders nothing', async () => {
    const { page, link, first } = await visit(proxy.now, '/')
    const requests = recordRequests(page)
    proxy.now.inject(body('<h1>Bad Gateway</h1>', 502), { match: isData('a') })
    await link('Alpha')
    await heading(page, 'Alpha').waitFor()
    expect(await documentId(page)).not.toBe(first)
    const documents = requests.filter((kind) => kind !== 'data')
    // Expect two probes, because data is fetched again between them, in case the server has come
    // back.
    expect(documents).toEqual(['probe', 'probe', 'document'])
    expect(requests.length).toBeLessThanOrEqual(8)
  })

  test('on a network that cuts everything, no document is opened that would be cut, too', async () => {
    const { page, link, first } = await visit(proxy.now, '/')
    const requests = recordRequests(page)
    const cut: Fault = { kind: 'cut', afterBytes: 900, ending: 'reset' }
    const rule = proxy.now.inject(cut, { match: ofPage })
    await link('Alpha')
    await expect.poll(() => rule.hits).toBeGreaterThan(5)
    proxy.now.clear()
    await heading(page, 'Alpha').waitFor()
    expect(await documentId(page)).toBe(first)
    expect(requests).not.toContain('document')
  })

  test('a probe renders nothing', async () => {
    const response = await served.fetch('/a?q=1', { headers: { accept: probeType } })
    expect([response.status, response.headers.get('content-type')]).toEqual([200, probeType])
    expect(response.headers.get('cache-control')).toContain('no-store')
    expect(await response.text()).not.toContain('<')
  })

  describe('a page that streams, and breaks again and again', () => {
    test.each([
      ['with typed text', 'precious'],
      ['without', ''],
    ])('%s: the rest arrives', async (_, typed) => {
      const { page, link } = await visit(proxy.now, '/')
      const data = '/_waymark/data/parts.rsc'
      const [request] = await Promise.all([
        page.waitForRequest((each) => each.url().endsWith(data)),
        link('Parts'),
      ])
      await heading(page, 'Parts').waitFor()
      const response = await fetch(served.app.origin + data, { headers: request.headers() })
      const { value } = (await response.body?.getReader().read()) ?? {}
      const afterBytes = (value?.length ?? 0) + (served.mode === 'dev' ? 200 : 1)
      await link('Home')
      await heading(page, 'Home').waitFor()
      const cut: Fault = { kind: 'cut', afterBytes, ending: 'reset' }
      proxy.now.inject(cut, { match: ({ target }) => target === data, times: 3 })
      await link('Parts')
      await heading(page, 'Parts').waitFor()
      if (typed) {
        await page.evaluate((text) => {
          const field = document.createElement('textarea')
          field.setAttribute('aria-label', 'Late')
          document.querySelector('main')?.parentElement?.append(field)
          field.focus()
          return text
        }, typed)
        await page.getByLabel('Late').fill(typed)
      }
      const notices = await countNotices(page)
      await page.locator('.late:visible').getByText('second came').waitFor()
      expect(await notices()).toBe(0)
      if (typed) expect(await page.getByLabel('Late').inputValue()).toBe(typed)
    })
  })
})

const shortTimeout = {
  'vite.config.ts': files['vite.config.ts'].replace('timeoutMs: 60_000', 'timeoutMs: 1500'),
}

describeApp('keepalives without a page', { app: 'navigation', files: shortTimeout }, (served) => {
  test('do not hide permanently that nothing happens', async () => {
    const { page, link, first } = await visit(served.app, '/')
    void page.evaluate(() => void window.router.push('/slow?ms=25000'))
    await page.locator('[data-waymark-notice]').waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await link('Alpha')
    await heading(page, 'Alpha').waitFor()
    expect(await documentId(page)).toBe(first)
  })
})
