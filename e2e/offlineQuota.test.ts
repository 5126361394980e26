import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { notice } from './harness/faults/actionsBehindProxy.ts'
import { cachedPaths, see, startOfflineApp } from './harness/offlineApp.ts'
import { add, networkErrors, outboxOf, outboxReady, startLedgerApp } from './harness/outbox.ts'
import { openPage } from './harness/page.ts'
import { heading } from './harness/visit.ts'

/**
 * Limits the site's storage to one byte, as on a full disk. Overrides the quota, because the
 * browser caches the amount of free space for a while.
 */
async function fillUp(page: Page, { origin }: { readonly origin: string }): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 1 })
}

/** Tries to store something, and returns the browser's error message. */
function storeMore(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const cache = await caches.open('mine')
    const stored = cache.put('/mine', new Response(new Uint8Array(50_000)))
    return stored.then(
      () => 'stored',
      (error: Error) => error.name,
    )
  })
}

test('if the storage is full, an app works as it does without the package', async () => {
  const app = await startOfflineApp()
  const { page, expectQuietConsole } = await openPage(app)
  await see(page, '/read')
  await fillUp(page, app)
  expect(await storeMore(page)).toBe('QuotaExceededError')
  await page.goto('/pictures')
  await page.waitForTimeout(1500)
  expect(await cachedPaths(page)).not.toContain('/pictures')
  await page.goto('/read')
  await page.getByRole('button', { name: 'Counted 0' }).click()
  await page.getByRole('button', { name: 'Counted 1' }).waitFor()
  await page.getByRole('link', { name: '/write' }).click()
  await heading(page, 'Write').waitFor()
  expectQuietConsole()
})

test('if the storage is full, a form says that it is not stored, and typed text stays', async () => {
  const app = await startLedgerApp('production')
  const { page, expectQuietConsole } = await openPage(app)
  await fillUp(page, app)
  await page.goto('/')
  await outboxReady(page)
  expect(await storeMore(page)).toBe('QuotaExceededError')
  await add(page, 'bread')
  await expect.poll(app.ledger).toEqual(['bread'])
  await app.kill()
  await add(page, 'milk')
  await notice(page).getByText('no space left').waitFor()
  expect(await page.getByLabel('Text', { exact: true }).inputValue()).toBe('milk')
  expect(await outboxOf(page).count()).toBe(0)
  await app.start()
  await notice(page).getByRole('button', { name: 'Retry' }).click()
  await expect.poll(app.ledger).toEqual(['bread', 'milk'])
  await notice(page).getByText('no space left').waitFor({ state: 'detached' })
  expectQuietConsole(networkErrors)
})
