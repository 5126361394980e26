import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { violations } from './harness/axe.ts'
import { notice } from './harness/faults/actionsBehindProxy.ts'
import { add, networkErrors, openOutbox, outboxOf, startLedgerApp } from './harness/outbox.ts'
import { appSource } from './harness/paths.ts'

const text = (page: Page) => page.getByLabel('Text', { exact: true })

async function sendNow(page: Page, label: string): Promise<void> {
  await page.getByRole('button', { name: `Send now ${label}` }).click()
}

describe('an entry that is sent later', { timeout: 120_000 }, () => {
  test('stays with the errors of the action, and is edited on its page', async () => {
    const app = await startLedgerApp('production')
    const { page, expectQuietConsole } = await openOutbox(app)
    await app.kill()
    await page.getByLabel('Checked text').fill('ab')
    await page.getByRole('button', { name: 'Add checked' }).click()
    await outboxOf(page).getByText('ab', { exact: true }).waitFor()
    await app.start()
    await outboxOf(page).getByText('Too short.').waitFor()
    await notice(page).getByText('“checked” could not be sent: Too short.').waitFor()
    await page.getByRole('link', { name: '/cart' }).click()
    await page.getByRole('button', { name: 'Apple' }).waitFor()
    await page.getByRole('button', { name: 'Edit checked' }).click()
    const field = page.getByRole('textbox', { name: 'Checked text' })
    await expect.poll(() => field.inputValue()).toBe('ab')
    await field.fill('abcdef')
    await page.getByRole('button', { name: 'Add checked' }).click()
    await outboxOf(page).waitFor({ state: 'detached' })
    await expect.poll(app.ledger).toEqual(['abcdef'])
    expectQuietConsole(networkErrors)
  })

  test('waits for the person if it is refused or fails', async () => {
    const app = await startLedgerApp('production')
    const { page } = await openOutbox(app)
    await app.kill()
    await add(page, 'forbidden')
    await outboxOf(page).getByText('forbidden').waitFor()
    await add(page, 'throws')
    await outboxOf(page).getByText('throws').waitFor()
    await add(page, 'milk')
    await outboxOf(page).getByText('milk').waitFor()
    await app.start()
    await expect.poll(app.ledger).toEqual(['milk'])
    await outboxOf(page).getByText("You don't have permission to do this.").waitFor()
    expect(await violations(page)).toEqual([])
    await outboxOf(page)
      .getByText(/An error occurred. \(.+\)/)
      .waitFor()
    await page.getByRole('button', { name: 'Delete Note' }).first().click()
    await page.getByRole('button', { name: 'Delete Note' }).first().click()
    await outboxOf(page).waitFor({ state: 'detached' })
  })

  test('shows both versions on a conflict, as its form does with a network', async () => {
    const app = await startLedgerApp('production')
    const { page } = await openOutbox(app, '/cart')
    await text(page).fill('old')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Ada has changed this.').waitFor()
    expect(await text(page).inputValue()).toBe('old')
    expect(await outboxOf(page).count()).toBe(0)
    await app.kill()
    await page.getByRole('button', { name: 'Save' }).click()
    await outboxOf(page).getByText('old', { exact: true }).waitFor()
    await app.start()
    await outboxOf(page).getByText('Ada has changed this.').waitFor()
    await outboxOf(page).getByText('what Ada wrote').waitFor()
    await outboxOf(page).getByText('old', { exact: true }).waitFor()
  })

  test('asks the user to sign in, and continues after that', async () => {
    const app = await startLedgerApp('production')
    const session = { name: 'session', value: '1', url: app.origin }
    const user = { name: 'user', value: 'ada', url: app.origin }
    const { page } = await openOutbox(app)
    await page.context().addCookies([session, user])
    await page.goto('/member')
    await page.waitForLoadState('networkidle')
    await app.kill()
    await add(page, 'milk')
    await outboxOf(page).getByText('milk').waitFor()
    // End the session, while the open page still contains Ada's name.
    await page.context().clearCookies({ name: 'session' })
    await app.start()
    await page.goto('/')
    await outboxOf(page).getByText('Sign in to send it.').waitFor()
    expect(app.ledger()).toEqual([])
    await page.context().addCookies([session])
    await page.reload()
    await expect.poll(app.ledger).toEqual(['milk'])
    await outboxOf(page).waitFor({ state: 'detached' })
  })

  test('opens its page if a deploy has removed its action, and others are sent', async () => {
    const app = await startLedgerApp('production')
    const { page } = await openOutbox(app)
    await app.kill()
    await add(page, 'unchanged')
    await outboxOf(page).getByText('unchanged').waitFor()
    await page.getByLabel('Checked text').fill('its action is gone')
    await page.getByRole('button', { name: 'Add checked' }).click()
    await outboxOf(page).getByText('its action is gone').waitFor()
    await app.start(withoutChecked())
    await page.reload()
    await expect.poll(app.ledger).toEqual(['unchanged'])
    await outboxOf(page).getByText('This site was updated.').waitFor()
    await page.getByRole('button', { name: 'Edit checked' }).click()
    await expect.poll(() => page.getByLabel('Checked text').inputValue()).toBe('its action is gone')
    await page.getByRole('button', { name: 'Add checked' }).click()
    await expect.poll(app.ledger).toEqual(['unchanged', 'its action is gone'])
    await outboxOf(page).waitFor({ state: 'detached' })
  })

  test('is not sent after it was withdrawn, and is sent at once on request', async () => {
    const app = await startLedgerApp('production')
    const { page } = await openOutbox(app)
    await app.kill()
    await add(page, 'withdrawn')
    await outboxOf(page).getByText('withdrawn').waitFor()
    await page.getByRole('button', { name: 'Delete Note' }).click()
    await outboxOf(page).waitFor({ state: 'detached' })
    await add(page, 'milk')
    await outboxOf(page).getByText('milk').waitFor()
    await app.start()
    await sendNow(page, 'Note')
    await expect.poll(app.ledger).toEqual(['milk'])
  })
})

/** Returns the files of a different build, in which the form's action has a different name. */
function withoutChecked() {
  const files = ['app/checked.ts', 'app/page.tsx'].map((file) => {
    const text = readFileSync(join(appSource('outbox'), file), 'utf8')
    return [file, text.replaceAll('addChecked', 'addRenamed')]
  })
  return Object.fromEntries(files) as Record<string, string>
}
