import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { ageLine, see, startOfflineApp, untilCached } from './harness/offlineApp.ts'
import { add, openOutbox, outboxOf, outboxReady, startLedgerApp } from './harness/outbox.ts'
import { openPage } from './harness/page.ts'
import { dayMs, shiftDate } from './harness/shiftedDate.ts'
import { heading } from './harness/visit.ts'

const hourMs = 3_600_000

const links = (page: Page) => page.getByRole('listitem').getByRole('link').allTextContents()

test.each([
  ['opens after 29 days', 29 * dayMs, true],
  ['is deleted after 30 days', 30 * dayMs + hourMs, false],
])('a page that nobody has opened since %s', async (_, byMs, isThere) => {
  const app = await startOfflineApp()
  const { page } = await openPage(app)
  await see(page, '/read')
  await untilCached(page, '/later')
  await app.end()
  await shiftDate(page.context(), byMs)
  const response = await page.goto('/read')
  expect(response?.status()).toBe(isThere ? 200 : 503)
  if (isThere) {
    await heading(page, 'Read').waitFor()
    // The line above the page shows the page's date.
    await page
      .getByText(/^As of \w+ \d+, \d{4}, .*\. No connection\.$/)
      .first()
      .waitFor()
    await page.goto('/unseen')
    expect(await links(page)).toContain('Read | Offline')
  } else {
    await heading(page, "You're offline").waitFor()
    expect(await links(page)).toEqual([])
    expect(await ageLine(page).count()).toBe(0)
  }
})

test('a page that may be cached for an hour is deleted after it', async () => {
  const app = await startOfflineApp()
  const { page } = await openPage(app)
  await see(page, '/secret')
  await app.end()
  await page.goto('/secret')
  await heading(page, 'Secret of nobody').waitFor()
  await shiftDate(page.context(), hourMs)
  expect((await page.goto('/secret'))?.status()).toBe(503)
  expect(await links(page)).not.toContain('/secret')
})

test('a waiting submission is sent automatically for 7 days; after that, a person decides', async () => {
  const app = await startLedgerApp('production')
  const { page } = await openOutbox(app)
  const openLater = async (byMs: number) => {
    await shiftDate(page.context(), byMs)
    await page.reload()
    await outboxReady(page)
  }
  const wait = async (text: string) => {
    await app.kill()
    await add(page, text)
    await outboxOf(page).getByText(text).waitFor()
    await app.start()
  }
  await wait('milk')
  await openLater(7 * dayMs)
  await expect.poll(app.ledger).toEqual(['milk'])
  await outboxOf(page).waitFor({ state: 'detached' })

  await wait('bread')
  await openLater(8 * dayMs)
  await outboxOf(page).getByText('This is too old to be sent automatically.').waitFor()
  await page.waitForTimeout(6000)
  expect(app.ledger()).toEqual(['milk'])
  await page.getByRole('button', { name: 'Send now Note' }).click()
  await expect.poll(app.ledger).toEqual(['milk', 'bread'])
  await outboxOf(page).waitFor({ state: 'detached' })
}, 120_000)
