import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { describeModes } from './harness/describeModes.ts'
import { openPage } from './harness/page.ts'

describeModes('live', { app: 'live' }, (served) => {
  const add = (text: string) =>
    fetch(new URL('/api/notes', served.app.origin), { method: 'POST', body: text })
  const notes = (page: Page) => page.getByRole('listitem').allTextContents()

  async function open(path: string): Promise<Page> {
    const { page } = await openPage(served.app)
    const answered = page.waitForResponse((response) => response.url().endsWith('/_waymark/live'))
    await page.goto(path)
    await answered
    return page
  }

  test('a change is on the screen of all who have the page open', async () => {
    const [first, second] = await Promise.all([open('/board'), open('/board')])
    await first.getByLabel('Draft').fill('half a sentence')
    const startedAtMs = Date.now()
    await add('milk')
    for (const page of [first, second]) await expect.poll(() => notes(page)).toContain('milk')
    expect(Date.now() - startedAtMs).toBeLessThan(3_000)
    expect(await first.getByLabel('Draft').inputValue()).toBe('half a sentence')
  })
})
