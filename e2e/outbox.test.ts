import { describe, expect, test } from 'vitest'
import { appModes } from './harness/describeModes.ts'
import { notice } from './harness/faults/actionsBehindProxy.ts'
import { add, networkErrors, openOutbox, outboxOf, startLedgerApp } from './harness/outbox.ts'

describe.each(appModes)('a queued form, %s', (mode) => {
  test('works like an ordinary form with a network, and leaves nothing behind', async () => {
    const app = await startLedgerApp(mode)
    const { page, expectQuietConsole } = await openOutbox(app)
    await add(page, 'milk')
    await page.getByRole('listitem').getByText('milk').waitFor()
    await expect.poll(() => page.getByLabel('Text', { exact: true }).inputValue()).toBe('')
    expect(await outboxOf(page).count()).toBe(0)
    expect(app.ledger()).toEqual(['milk'])
    expectQuietConsole()
  })

  test('waits without a server, and is sent once when it is back', async () => {
    const app = await startLedgerApp(mode)
    const { page, expectQuietConsole } = await openOutbox(app)
    await app.kill()
    await add(page, 'milk')
    await outboxOf(page).getByText('milk').waitFor()
    await notice(page).getByText('This is saved in your browser').waitFor()
    await expect.poll(() => page.getByLabel('Text', { exact: true }).inputValue()).toBe('')
    await add(page, 'bread')
    await outboxOf(page).getByText('bread').waitFor()
    await app.start()
    await expect.poll(app.ledger).toEqual(['milk', 'bread'])
    await outboxOf(page).waitFor({ state: 'detached' })
    await page.getByRole('list', { name: 'Ledger' }).getByText('bread').waitFor()
    await notice(page).getByText('are saved in your browser').waitFor({ state: 'detached' })
    expectQuietConsole(networkErrors)
  })
})
