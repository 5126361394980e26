import type { BrowserContext, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { notice } from './harness/faults/actionsBehindProxy.ts'
import { add, type LedgerApp, openOutbox, outboxOf, startLedgerApp } from './harness/outbox.ts'
import { openPage } from './harness/page.ts'

const otherUser = /else has signed in (?:in|on) this browser/

/** Signs a user in as a different tab would, so that this tab's page doesn't see the response. */
const signIn = (context: BrowserContext, app: LedgerApp, name: string) =>
  context.addCookies([{ name: 'user', value: name, url: app.origin }])

async function openAs(app: LedgerApp, name: string): Promise<Page> {
  const { page } = await openOutbox(app)
  await signIn(page.context(), app, name)
  await page.goto('/')
  await page.getByText(`User: ${name}`).waitFor()
  await page.waitForLoadState('networkidle')
  return page
}

async function comeBack(page: Page, app: LedgerApp, name: string): Promise<void> {
  await signIn(page.context(), app, name)
  await page.goto('/')
  await page.getByText(`User: ${name}`).waitFor()
}

/**
 * Submits a form as Ada while the server is stopped. Then Bob signs in, using the same browser.
 * @returns Ada's tab
 */
async function waitingForAda(app: LedgerApp): Promise<Page> {
  const page = await openAs(app, 'ada')
  await app.kill()
  await add(page, 'of Ada')
  await outboxOf(page).getByText('of Ada').waitFor()
  await signIn(page.context(), app, 'bob')
  await app.start()
  return page
}

describe('a waiting form', { timeout: 120_000 }, () => {
  test('is sent only for its owner, among three users in two tabs', async () => {
    const app = await startLedgerApp('production')
    const page = await waitingForAda(app)
    const other = await page.context().newPage()
    await other.goto('/')
    await other.getByText('User: bob').waitFor()
    await notice(page).getByText(otherUser).waitFor()
    expect(await outboxOf(other).count()).toBe(0)
    await other.waitForLoadState('networkidle')
    await add(other, 'of Bob')
    await expect.poll(app.ledger).toEqual(['of Bob'])
    await comeBack(other, app, 'cy')
    await page.waitForTimeout(6000)
    expect(app.ledger()).toEqual(['of Bob'])
    await comeBack(page, app, 'ada')
    await expect.poll(app.ledger).toEqual(['of Bob', 'of Ada'])
  })

  test('is not sent for a user whom no page in the browser has named yet', async () => {
    const app = await startLedgerApp('production')
    const page = await waitingForAda(app)
    await notice(page).getByText(otherUser).waitFor({ timeout: 40_000 })
    expect(app.ledger()).toEqual([])
    await comeBack(page, app, 'ada')
    await expect.poll(app.ledger).toEqual(['of Ada'])
  })
})

describe('an old tab of another user', { timeout: 120_000 }, () => {
  test('keeps its typed text for the user who opened it', async () => {
    const app = await startLedgerApp('production')
    const page = await openAs(app, 'ada')
    await signIn(page.context(), app, 'bob')
    // The server must refuse the submission, because this tab doesn't know about the new user.
    await add(page, 'typed by Ada')
    await notice(page).getByText(otherUser).waitFor()
    const other = await page.context().newPage()
    await other.goto('/')
    await add(page, 'typed by Ada later')
    await notice(page).getByText(otherUser).waitFor()
    await page.waitForTimeout(2000)
    expect(app.ledger()).toEqual([])
    await comeBack(page, app, 'ada')
    await expect.poll(app.ledger).toEqual(['typed by Ada', 'typed by Ada later'])
  })

  test('sends no form outside of the outbox, and keeps its typed text', async () => {
    const app = await startLedgerApp('production')
    const page = await openAs(app, 'ada')
    await signIn(page.context(), app, 'bob')
    await page.getByLabel('Open text').fill('typed by Ada')
    await page.getByLabel('Password').fill('secret')
    await page.getByRole('button', { name: 'Add with password' }).click()
    await notice(page).getByText(otherUser).waitFor()
    expect(await page.getByLabel('Open text').inputValue()).toBe('typed by Ada')
    expect(app.ledger()).toEqual([])
  })

  test('sends nothing without JavaScript either', async () => {
    const app = await startLedgerApp('production')
    const { page } = await openPage(app, { javaScriptEnabled: false })
    await signIn(page.context(), app, 'ada')
    await page.goto('/')
    await add(page, 'by Ada')
    await expect.poll(app.ledger).toEqual(['by Ada'])
    await page.getByText('User: ada').waitFor()
    await signIn(page.context(), app, 'bob')
    await page.getByLabel('Text', { exact: true }).fill('typed by Ada')
    const posted = page.waitForResponse((response) => response.request().method() === 'POST')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    const response = await posted
    expect(response.status()).toBe(409)
    expect(response.headers()['waymark-refusal']).toBe('other-user')
    expect(app.ledger()).toEqual(['by Ada'])
  })
})

// Put <OfflineUser> into a page instead of the root layout.
const namedByPage = {
  'app/layout.tsx': `import type { ReactNode } from 'react'
import { Link } from 'waymark'

export default function RootLayout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>
        <Link href="/" prefetch={false}>/</Link>
        <main>{children}</main>
      </body>
    </html>
  )
}
`,
  'app/mail/layout.tsx': `import { OfflineUser } from '@waymark/offline/server'
import type { ReactNode } from 'react'

export default function MailLayout({ children }: { children: ReactNode }) {
  return <><OfflineUser />{children}</>
}
`,
}

describe('an open live page', { timeout: 120_000 }, () => {
  async function openMail(files: Readonly<Record<string, string>>) {
    const app = await startLedgerApp('production', files)
    const { page } = await openPage(app)
    await signIn(page.context(), app, 'ada')
    const refusals: number[] = []
    page.on('response', (response) => {
      if (response.headers()['waymark-refusal'] === 'other-user') refusals.push(response.status())
    })
    await page.goto('/mail')
    await page.getByRole('heading', { name: 'Mail of ada' }).waitFor()
    // Wait for the worker, not for an idle page, because a live page is never idle.
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
    await page.getByLabel('Draft').fill('typed by Ada')
    const send = (text: string) => fetch(`${app.origin}/api/mail`, { method: 'POST', body: text })
    await send('first')
    await page.getByText('first for ada').waitFor()
    return { app, page, refusals, send }
  }

  const expectStillOfAda = async (page: Page) => {
    expect(await page.content()).not.toContain('bob')
    expect(await page.getByRole('heading', { name: 'Mail of ada' }).isVisible()).toBe(true)
    expect(await page.getByLabel('Draft').inputValue()).toBe('typed by Ada')
  }

  test.each([
    { place: 'the root layout', files: {} },
    { place: 'the page', files: namedByPage },
  ])(
    'of a user whom $place names shows nothing of another user, and says so',
    async ({ files }) => {
      const { app, page, refusals, send } = await openMail(files)
      await signIn(page.context(), app, 'bob')
      await send('second')
      await notice(page).getByText(otherUser).waitFor()
      expect(refusals).toContain(409)
      await page.waitForTimeout(3000)
      await expectStillOfAda(page)
      const other = await page.context().newPage()
      await other.goto('/mail')
      await other.getByText('second for bob').waitFor()
      await send('third')
      await other.getByText('third for bob').waitFor()
      await expectStillOfAda(page)
      await signIn(page.context(), app, 'ada')
      await send('fourth')
      await page.getByText('fourth for ada').waitFor({ timeout: 40_000 })
      expect(await page.getByLabel('Draft').inputValue()).toBe('typed by Ada')
    },
  )

  test('opens a document for a navigation, so that no page mixes two users', async () => {
    const { app, page } = await openMail({})
    await signIn(page.context(), app, 'bob')
    await page.getByLabel('Draft').fill('')
    await page.evaluate(() => Object.assign(window, { isOfAda: true }))
    await page.getByRole('link', { name: '/', exact: true }).click()
    await page.getByRole('heading', { name: 'Notes' }).waitFor()
    expect(await page.evaluate(() => 'isOfAda' in window)).toBe(false)
  })
})
