import { describe, expect, test } from 'vitest'
import { describeApp } from './harness/describeModes.ts'
import type { Fault, ProxiedRequest } from './harness/faults/fault.ts'
import { proxyBefore } from './harness/faults/proxyBefore.ts'
import { openPage } from './harness/page.ts'
import { shortTimeouts } from './harness/shortTimeouts.ts'
import { documentId, heading, visit } from './harness/visit.ts'

/** Navigation timeout that `shortTimeouts` sets, in milliseconds. */
const timeoutMs = 1500

describeApp(
  'a stream that is cut or stalls',
  { app: 'navigation', files: shortTimeouts },
  (served) => {
    const proxy = proxyBefore(served, ['/', '/styled', '/parts', '/a'])

    const some = <Value>(faults: Readonly<Record<string, Value>>) => {
      const kinds = Object.entries(faults)
      return served.mode === 'production' ? kinds : kinds.filter((_, at) => at !== 1)
    }

    /**
     * Returns a number of bytes at which the response ends shortly after the start of its late
     * part. In development, the number is larger, because React writes times of varying length into
     * the response.
     */
    async function withFirst(
      target: string,
      headers: Record<string, string> = {},
    ): Promise<number> {
      const response = await fetch(served.app.origin + target, { headers })
      const { value } = (await response.body?.getReader().read()) ?? {}
      return (value?.length ?? 0) + (served.mode === 'dev' ? 200 : 1)
    }

    describe('the first document, once it is interactive', () => {
      const target = '/parts?ms=800'
      const match = (request: ProxiedRequest) => request.target === target
      const faults: Readonly<Record<string, (afterBytes: number) => Fault>> = {
        'cut cleanly': (afterBytes) => ({ kind: 'cut', afterBytes, ending: 'clean' }),
        'cut by a reset': (afterBytes) => ({ kind: 'cut', afterBytes, ending: 'reset' }),
        stalled: (afterBytes) => ({ kind: 'stall', afterBytes }),
      }
      test.each(some(faults))('%s: the rest is fetched as page data', async (_, fault) => {
        const { page } = await openPage(proxy.now)
        // Cut within the part that arrives 800 ms after the first bytes.
        proxy.now.inject(fault(await withFirst(target)), { match })
        await page.goto(target, { waitUntil: 'commit' }).catch(() => {})
        await heading(page, 'Parts').waitFor()
        await page.getByText('second came').waitFor()
        // Don't click in development, because an overlay that reports the cut response covers the
        // page.
        if (served.mode === 'dev') await page.evaluate(() => void window.router.push('/a'))
        else await page.getByRole('link', { name: 'Alpha', exact: true }).click()
        await heading(page, 'Alpha').waitFor()
      })

      test('that is slow is not treated as lost', async () => {
        const { page } = await openPage(proxy.now)
        const paths: string[] = []
        page.on('request', (request) => paths.push(new URL(request.url()).pathname))
        await page.goto('/parts?ms=2200', { waitUntil: 'commit' })
        await page.getByText('second came').waitFor()
        expect(paths).not.toContain('/_waymark/data/parts.rsc')
      })
    })

    describe('a page that arrived as page data', () => {
      const data = '/_waymark/data/parts.rsc'
      const match = ({ target }: ProxiedRequest) => target === data
      const faults: Readonly<Record<string, (afterBytes: number) => Fault>> = {
        'cut cleanly': (afterBytes) => ({ kind: 'cut', afterBytes, ending: 'clean' }),
        'cut by a reset': (afterBytes) => ({ kind: 'cut', afterBytes, ending: 'reset' }),
        stalled: (afterBytes) => ({ kind: 'stall', afterBytes }),
      }
      test.each(some(faults))('and is %s later is repaired', async (_, fault) => {
        const { page, link, first } = await visit(proxy.now, '/')
        const [request] = await Promise.all([
          page.waitForRequest((each) => each.url().endsWith(data)),
          link('Parts'),
        ])
        await heading(page, 'Parts').waitFor()
        const afterBytes = await withFirst(data, request.headers())
        await link('Home')
        await heading(page, 'Home').waitFor()
        proxy.now.inject(fault(afterBytes), { match, times: 1 })
        await link('Parts')
        await heading(page, 'Parts').waitFor()
        await page.locator('.late:visible').getByText('second came').waitFor()
        expect(await documentId(page)).toBe(first)
      })

      test('and stalls each time after its shell shows a notice until the fault is gone', async () => {
        const { page, link, first } = await visit(proxy.now, '/')
        const notice = page.locator('[data-waymark-notice]')
        proxy.now.inject({ kind: 'stall', afterBytes: 'first-chunk' }, { match })
        await link('Parts')
        await heading(page, 'Parts').waitFor()
        const renderedAtMs = Date.now()
        await notice.waitFor()
        expect(Date.now() - renderedAtMs).toBeLessThan(timeoutMs + 1500)
        // The notice must stay while a retry receives nothing new.
        await page.waitForTimeout(1000)
        expect(await notice.isVisible()).toBe(true)
        proxy.now.clear()
        await page.locator('.late:visible').getByText('second came').waitFor()
        await notice.waitFor({ state: 'detached' })
        if (served.mode === 'production') expect(await documentId(page)).toBe(first)
      })
    })

    describe('the first document, before it is interactive', () => {
      /** Makes the document of a page stall just before a text. */
      async function silence(path: string, before: string): Promise<void> {
        const html = await (await served.fetch(path)).text()
        const afterBytes = Buffer.byteLength(html.slice(0, html.indexOf(before)))
        expect(afterBytes).toBeGreaterThan(0)
        proxy.now.inject({ kind: 'stall', afterBytes }, { match: ({ target }) => target === path })
      }

      test.each(
        some({
          'before its body': '<body',
          'before its page': '<main',
          'before the end of its payload': '"route":',
        }),
      )('stalls %s: the page is fetched as page data', async (_, before) => {
        const { page } = await openPage(proxy.now)
        await silence('/styled', before)
        await page.goto('/styled', { waitUntil: 'commit' })
        const title = heading(page, 'Styled')
        await title.waitFor()
        const color = () => title.evaluate((it) => getComputedStyle(it).color)
        await expect.poll(color).toBe('rgb(4, 5, 6)')
        await page.waitForFunction(() => 'router' in window)
        await page.evaluate(() => void window.router.push('/a'))
        await heading(page, 'Alpha').waitFor()
      })

      test('and its page data hangs, too: a notice is shown until the fault is gone', async () => {
        const { page } = await openPage(proxy.now)
        await silence('/styled', '<main')
        const isData = ({ target }: ProxiedRequest) => target.startsWith('/_waymark/data/')
        proxy.now.inject({ kind: 'hang' }, { match: isData })
        await page.goto('/styled', { waitUntil: 'commit' })
        const notice = page.locator('[data-waymark-notice]')
        await notice.waitFor()
        proxy.now.clear()
        // The notice may disappear before the click, because the page also retries automatically.
        const clicked = notice.getByRole('button', { name: 'Retry' }).click()
        const arrived = heading(page, 'Styled').waitFor()
        await Promise.race([clicked.catch(() => {}), arrived])
        await arrived
        await notice.waitFor({ state: 'detached' })
      })

      test('keeps typed text', async () => {
        const { page } = await openPage(proxy.now)
        await silence('/', 'Long from below')
        await page.goto('/', { waitUntil: 'commit' })
        await page.getByLabel('Draft').fill('typed while it was silent')
        await page.getByRole('link', { name: 'Long from below' }).waitFor()
        await expect
          .poll(() => page.getByLabel('Draft').inputValue())
          .toBe('typed while it was silent')
      })
    })
  },
)
