import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { type LedgerApp, outboxOf, outboxReady, startLedgerApp } from './harness/outbox.ts'
import { openPage } from './harness/page.ts'

/** What the browser itself says of a server that is away. */
const networkErrors = [/Failed to load resource/, /WebSocket/, /\[vite\]/]

async function open(app: LedgerApp, path = '/') {
  const visit = await openPage(app)
  await visit.page.goto(path)
  await outboxReady(visit.page)
  return visit
}

async function add(page: Page, text: string): Promise<void> {
  await page.getByLabel('Text', { exact: true }).fill(text)
  await page.getByRole('button', { name: 'Add', exact: true }).click()
}

describe.each(['dev', 'production'] as const)('a queued form, %s', (mode) => {
  test('with a network is an ordinary form, and leaves nothing behind', async () => {
    const app = await startLedgerApp(mode)
    const { page, expectQuietConsole } = await open(app)
    await add(page, 'milk')
    await page.getByRole('listitem').getByText('milk').waitFor()
    await expect.poll(() => page.getByLabel('Text', { exact: true }).inputValue()).toBe('')
    expect(await outboxOf(page).count()).toBe(0)
    expect(app.ledger()).toEqual(['milk'])
    expectQuietConsole()
  })

  test('waits without a server, and is sent once when it is back', async () => {
    const app = await startLedgerApp(mode)
    const { page, expectQuietConsole } = await open(app)
    await app.kill()
    await add(page, 'milk')
    await outboxOf(page).getByText('milk').waitFor()
    await page.getByText('This is kept here').waitFor()
    await expect.poll(() => page.getByLabel('Text', { exact: true }).inputValue()).toBe('')
    await add(page, 'bread')
    await outboxOf(page).getByText('bread').waitFor()
    await app.start()
    await outboxOf(page).waitFor({ state: 'detached', timeout: 30_000 })
    expect(app.ledger()).toEqual(['milk', 'bread'])
    await page.getByRole('list', { name: 'Ledger' }).getByText('bread').waitFor()
    await page.getByText('are kept here').waitFor({ state: 'detached' })
    expectQuietConsole(networkErrors)
  })
})
