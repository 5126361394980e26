import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { describeApp } from './harness/describeModes.ts'
import { proxyBefore } from './harness/faults/proxyBefore.ts'
import { heading, visit } from './harness/visit.ts'

const files = {
  'app/second/page.tsx': `
    import { Link } from 'waymark'
    import { connection } from 'waymark/server'
    import { add } from './actions.ts'
    import { counted } from './counted.ts'

    export default async function Page() {
      await connection()
      return (
        <main>
          <h1>Second</h1>
          <p id="times">{counted.times}</p>
          <Link href="/widget">Widget</Link> <Link href="/item/7">Item</Link>{' '}
          <Link href="/second/count">Count</Link>
          <form action={add}>
            <button type="submit">Add</button>
          </form>
        </main>
      )
    }`,
  'app/second/actions.ts': `
    'use server'
    import { revalidatePath } from 'waymark/server'
    import { counted } from './counted.ts'

    export async function add() {
      counted.times++
      revalidatePath('/second/count')
    }`,
  'app/second/counted.ts': 'export const counted = { times: 0 }',
  'app/second/count/page.tsx': `
    import { connection, headers } from 'waymark/server'
    import { counted } from '../counted.ts'

    export default async function Page() {
      await connection()
      const purpose = (await headers()).get('sec-purpose') ?? 'a click'
      return (
        <main>
          <h1>Count {counted.times}</h1>
          <p id="purpose">For {purpose}</p>
        </main>
      )
    }`,
  'app/closed/layout.tsx': `
    import { forbidden } from 'waymark'
    import { connection } from 'waymark/server'

    export default async function Layout() {
      await connection()
      forbidden()
    }`,
  'app/closed/page.tsx': `
    import { Widget } from '../widget/widget.tsx'

    export default function Page() {
      return <Widget />
    }`,
}

describeApp('the second click', { app: 'navigation', files }, (served) => {
  const proxy = proxyBefore(served, ['/second', '/second/count', '/widget', '/item/7'])
  const isDev = served.mode === 'dev'

  const sentSince = (index: number) =>
    proxy.now.requests
      .slice(index)
      .map(({ target, headers }) => [headers['waymark-prefetch'] ?? 'click', target])
      .filter(([, target]) => /^\/_waymark\/(data|assets)/.test(String(target)))
  const dataOf = (path: string) => `/_waymark/data${path}.rsc`

  /** Opens the page of links, and waits until the visible links are prefetched. */
  async function second() {
    const before = proxy.now.requests.length
    const visited = await visit(proxy.now, '/second')
    const { page } = visited
    const prefetchCount = () => sentSince(before).filter(([kind]) => kind === '1').length
    await expect.poll(prefetchCount).toBe(3)
    await page.waitForLoadState('networkidle')
    return visited
  }

  async function rest(page: Page, name: string) {
    await page.mouse.move(1, 1)
    await page.getByRole('link', { name, exact: true }).hover()
  }

  test.skipIf(isDev)('loads the code of a page before its data', async () => {
    const { page, link, expectQuietConsole } = await second()
    const before = proxy.now.requests.length
    await link('Widget')
    await heading(page, 'Widget page').waitFor()
    await page.getByText('the widget lives').waitFor()
    expect(sentSince(before)).toEqual([['click', dataOf('/widget')]])
    expectQuietConsole()
  })

  test('shows a page without a request if the pointer rests on its link', async () => {
    const { page, link } = await second()
    const before = proxy.now.requests.length
    const whole = page.waitForResponse((response) => response.url().endsWith(dataOf('/item/7')))
    await rest(page, 'Item')
    await (await whole).finished()
    await link('Item')
    await heading(page, 'Item 7').waitFor()
    expect(sentSince(before)).toEqual([['page', dataOf('/item/7')]])
    if (!isDev) return
    const ledger = await page.evaluate(() => window.waymarkPrefetches?.())
    expect(ledger).toMatchObject({ fetched: 1, used: 1, wasted: 0 })
  })

  test('joins a running request', async () => {
    const { page, link } = await second()
    const before = proxy.now.requests.length
    const rule = proxy.now.inject(
      { kind: 'delay', ms: 1000 },
      { match: ({ headers }) => headers['waymark-prefetch'] === 'page' },
    )
    await rest(page, 'Widget')
    await expect.poll(() => rule.hits).toBe(1)
    await link('Widget')
    await heading(page, 'Widget page').waitFor()
    await page.getByText('the widget lives').waitFor()
    const data = sentSince(before).filter(([, target]) => target === dataOf('/widget'))
    expect(data).toEqual([['page', dataOf('/widget')]])
  })

  test('is never stale after an action', async () => {
    const { page, link } = await second()
    const times = Number(await page.locator('#times').textContent())
    const whole = page.waitForResponse((response) =>
      response.url().endsWith(dataOf('/second/count')),
    )
    await rest(page, 'Count')
    await (await whole).finished()
    await page.getByRole('button', { name: 'Add' }).click()
    await expect.poll(() => page.locator('#times').textContent()).toBe(String(times + 1))
    await link('Count')
    await heading(page, `Count ${times + 1}`).waitFor()
  })

  test('tells the page why it is rendered', async () => {
    const { page, link } = await second()
    const whole = page.waitForResponse((response) =>
      response.url().endsWith(dataOf('/second/count')),
    )
    await rest(page, 'Count')
    await (await whole).finished()
    await link('Count')
    await expect.poll(() => page.locator('#purpose').textContent()).toBe('For prefetch')
  })

  test('is not prepared if the connection saves data', async () => {
    const { page, link } = await second()
    await page.evaluate(() => {
      Object.defineProperty(navigator, 'connection', { value: { saveData: true } })
    })
    const before = proxy.now.requests.length
    await rest(page, 'Item')
    // Wait longer than a pointer must rest before its link is prefetched.
    await page.waitForTimeout(150)
    await link('Item')
    await heading(page, 'Item 7').waitFor()
    expect(sentSince(before)).toEqual([['click', dataOf('/item/7')]])
  })

  test.each(['1', 'page'])('reveals nothing that a guard refuses: %s', async (kind) => {
    const ask = (path: string) =>
      served.fetch(dataOf(path), {
        headers: { 'waymark-prefetch': kind, 'waymark-from': '/second' },
      })
    const namesOf = ({ headers }: Response) => [...headers.keys()].filter((name) => name !== 'date')
    const nowhere = await ask('/nowhere')
    for (const path of ['/closed', '/vault/1']) {
      const refused = await ask(path)
      expect([refused.status, await refused.text()]).toEqual([204, ''])
      expect(namesOf(refused)).toEqual(namesOf(nowhere))
    }
    const widget = await ask('/widget')
    expect(widget.status).toBe(kind === 'page' ? 200 : 204)
    if (!isDev) expect(widget.headers.get('waymark-assets')).toMatch(/\/assets\/widget-\S+\.js/)
    // A page with a different status is sent only for a click, not for a prefetch.
    expect((await ask('/gone')).status).toBe(204)
  })
})
