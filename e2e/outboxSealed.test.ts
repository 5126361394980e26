import { describe, expect, test } from 'vitest'
import { notice } from './harness/faults/actionsBehindProxy.ts'
import { add, networkErrors, openOutbox, outboxOf, startLedgerApp } from './harness/outbox.ts'

describe('on a shared machine', () => {
  test('another user sees and sends nothing, and sending continues when the owner is back', async () => {
    const app = await startLedgerApp('production')
    const { page } = await openOutbox(app)
    const signIn = async (name: string) => {
      await page.getByLabel('Name').fill(name)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByText(`User: ${name}`).waitFor()
    }
    await signIn('ada')
    await app.kill()
    await add(page, "Ada's secret")
    await outboxOf(page).getByText("Ada's secret").waitFor()
    await page.context().setOffline(true)
    await app.start()
    // Change only the cookie, as if Bob had signed in on a different site. The open page still
    // considers Ada its user.
    await page.context().addCookies([{ name: 'user', value: 'bob', url: app.origin }])
    await page.context().setOffline(false)
    const others = await page.context().newPage()
    await others.goto('/')
    await others.getByText('User: bob').waitFor()
    await others.waitForLoadState('networkidle')
    await add(others, "Bob's note")
    await expect.poll(app.ledger).toEqual(["Bob's note"])
    await outboxOf(page).waitFor({ state: 'detached' })
    await others.waitForTimeout(7000)
    expect(await others.getByText("Ada's secret").count()).toBe(0)
    expect(app.ledger()).toEqual(["Bob's note"])
    await others.close()
    await page.reload()
    await page.getByText('User: bob').waitFor()
    await signIn('ada')
    await expect.poll(app.ledger).toEqual(["Bob's note", "Ada's secret"])
  }, 120_000)
})

describe('the stored data', () => {
  test('includes a file; a file that is too large is not stored, and a message says so', async () => {
    const app = await startLedgerApp('production')
    const { page } = await openOutbox(app)
    const choose = (size: number) =>
      page
        .getByLabel('File')
        .setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.alloc(size, 'x') })
    await app.kill()
    await choose(10)
    await add(page, 'small')
    await outboxOf(page).getByText('a.txt').waitFor()
    await choose(6_000_000)
    await add(page, 'large')
    await notice(page).getByText('too large to keep').waitFor()
    expect(await outboxOf(page).getByRole('listitem').count()).toBe(1)
    expect(await page.getByLabel('Text', { exact: true }).inputValue()).toBe('large')
    await app.start()
    await expect.poll(app.ledger).toContain('small xxxxxxxxxx')
  })

  test('includes no form with a password, and no form without the attribute', async () => {
    const app = await startLedgerApp('production')
    const { page } = await openOutbox(app)
    await app.kill()
    await page.getByLabel('Open text').fill('secret')
    await page.getByLabel('Password').fill('hunter2')
    await page.getByRole('button', { name: 'Add with password' }).click()
    await notice(page)
      .getByText("This couldn't be sent. Everything you entered is still here.")
      .waitFor()
    expect(await page.getByLabel('Open text').inputValue()).toBe('secret')
    expect(await outboxOf(page).count()).toBe(0)
    await app.start()
    await page.goto('/plain')
    await page.waitForLoadState('networkidle')
    await app.kill()
    await add(page, 'plain')
    await notice(page)
      .getByText("This couldn't be sent. Everything you entered is still here.")
      .waitFor()
    expect(await page.getByLabel('Text', { exact: true }).inputValue()).toBe('plain')
    expect(await outboxOf(page).count()).toBe(0)
    await app.start()
    await notice(page).getByRole('button', { name: 'Retry' }).click()
    await expect.poll(app.ledger).toEqual(['plain'])
  })

  test('is empty if the browser allows no storage: forms work as without an outbox', async () => {
    const app = await startLedgerApp('production')
    const visit = await openOutbox(app)
    const { page } = visit
    await page.addInitScript(() => {
      IDBFactory.prototype.open = () => {
        throw new DOMException('Forbidden.', 'SecurityError')
      }
    })
    await page.goto('/plain')
    await page.goto('/')
    await page.waitForLoadState('networkidle')
    await add(page, 'milk')
    await expect.poll(app.ledger).toEqual(['milk'])
    await expect.poll(() => page.getByLabel('Text', { exact: true }).inputValue()).toBe('')
    await page.waitForLoadState('networkidle')
    await app.kill()
    await add(page, 'bread')
    await notice(page)
      .getByText("This couldn't be sent. Everything you entered is still here.")
      .waitFor()
    expect(await page.getByLabel('Text', { exact: true }).inputValue()).toBe('bread')
    visit.expectQuietConsole(networkErrors)
  })

  test('includes a marked call from code, with bound arguments', async () => {
    const app = await startLedgerApp('production')
    const { page } = await openOutbox(app, '/cart')
    await page.getByRole('button', { name: 'Apple' }).click()
    await page.getByText('Result: added apple').waitFor()
    await app.kill()
    await page.getByRole('button', { name: 'Apple' }).click()
    await page.getByText('In the cart: apple').waitFor()
    await page.getByText('Result: kept').waitFor()
    await page.getByRole('button', { name: 'Bound' }).click()
    await expect.poll(() => outboxOf(page).getByRole('listitem').count()).toBe(2)
    await app.start()
    const expected = ['cart apple', 'cart apple', 'cart bound pear']
    await expect.poll(app.ledger).toEqual(expected)
  })
})
