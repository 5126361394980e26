import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, onTestFinished, test } from 'vitest'
import { launchWithFlags, launchWithPreferences } from './harness/browser.ts'
import { notice } from './harness/faults/actionsBehindProxy.ts'
import { startOfflineApp } from './harness/offlineApp.ts'
import { add, networkErrors, outboxOf, startLedgerApp } from './harness/outbox.ts'
import { openPageIn, type Visit } from './harness/page.ts'
import { heading } from './harness/visit.ts'

const noSettings = 'Only a browser without a window is installed.'
const host = 'app.example'

/** Opens an app in an insecure context: over plain HTTP, with a hostname that isn't local. */
async function overPlainHttp({ origin }: { readonly origin: string }): Promise<Visit> {
  const browser = await launchWithFlags([`--host-resolver-rules=MAP ${host} 127.0.0.1`])
  onTestFinished(() => browser.close())
  return openPageIn(await browser.newContext({ baseURL: origin.replace('localhost', host) }))
}

/** Opens an app in a browser whose user forbids all storage. */
async function withoutStorage({ origin }: { readonly origin: string }): Promise<Visit | null> {
  const folder = mkdtempSync(join(tmpdir(), 'waymark-profile-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  const preferences = { profile: { default_content_setting_values: { cookies: 2 } } }
  const context = await launchWithPreferences(folder, preferences, { baseURL: origin })
  return context && openPageIn(context)
}

/**
 * Returns the APIs that the browser offers, so that a test can make sure that the storage is
 * forbidden.
 */
function allowed(page: Page) {
  return page.evaluate(async () => ({
    isSecure: isSecureContext,
    hasWorkers: 'serviceWorker' in navigator,
    hasLocks: 'locks' in navigator,
    hasDigest: crypto.subtle !== undefined,
    canStore: await new Promise((resolve) => {
      const request = indexedDB.open('test')
      request.onsuccess = () => resolve(true)
      request.onerror = () => resolve(false)
    }),
  }))
}

const plainHttp = {
  isSecure: false,
  hasWorkers: false,
  hasLocks: false,
  hasDigest: false,
  canStore: true,
}
const forbidden = {
  isSecure: true,
  hasWorkers: true,
  hasLocks: true,
  hasDigest: true,
  canStore: false,
}

describe.each([
  ['over plain HTTP', overPlainHttp, plainHttp],
  ['where no site may store anything', withoutStorage, forbidden],
])('%s', (_, open, has) => {
  test('an app works as it does without the package', async ({ skip }) => {
    const app = await startOfflineApp()
    const { page, expectQuietConsole } = (await open(app)) ?? skip(noSettings)
    await page.goto('/read')
    expect(await allowed(page)).toEqual(has)
    await page.waitForLoadState('networkidle')
    await page.evaluate(() => Object.assign(window, { isSame: true }))
    await page.getByRole('button', { name: 'Counted 0' }).click()
    await page.getByRole('button', { name: 'Counted 1' }).waitFor()
    await page.getByRole('link', { name: '/write' }).click()
    await heading(page, 'Write').waitFor()
    await page.goBack()
    await heading(page, 'Read').waitFor()
    expect(await page.evaluate(() => 'isSame' in window)).toBe(true)
    await page.goto('/away')
    await page.getByText('From network, now').waitFor()
    expectQuietConsole()
  })

  test('a form is sent in the ordinary way', async ({ skip }) => {
    const app = await startLedgerApp('production')
    const { page, expectQuietConsole } = (await open(app)) ?? skip(noSettings)
    await page.goto('/')
    await page.waitForLoadState('networkidle')
    await add(page, 'milk')
    await page.getByRole('listitem').getByText('milk').waitFor()
    expect(await outboxOf(page).count()).toBe(0)
    expect(app.ledger()).toEqual(['milk'])
    expectQuietConsole()
  })
})

test('over plain HTTP, a form waits in the outbox, and is sent once', async () => {
  const app = await startLedgerApp('production')
  const { page, expectQuietConsole } = await overPlainHttp(app)
  await page.goto('/')
  await page.waitForLoadState('networkidle')
  await app.kill()
  await add(page, 'milk')
  await outboxOf(page).getByText('milk').waitFor()
  await notice(page).getByText('This is saved in your browser').waitFor()
  await app.start()
  await expect.poll(app.ledger).toEqual(['milk'])
  await outboxOf(page).waitFor({ state: 'detached' })
  expectQuietConsole(networkErrors)
})

test('if storage is forbidden, a form behaves like one that does not wait', async ({ skip }) => {
  const app = await startLedgerApp('production')
  const { page, expectQuietConsole } = (await withoutStorage(app)) ?? skip(noSettings)
  await page.goto('/')
  await page.waitForLoadState('networkidle')
  await app.kill()
  await add(page, 'milk')
  await notice(page).waitFor()
  expect(await notice(page).textContent()).not.toContain('saved in your browser')
  expect(await page.getByLabel('Text', { exact: true }).inputValue()).toBe('milk')
  expect(await outboxOf(page).count()).toBe(0)
  await app.start()
  await notice(page).getByRole('button', { name: 'Retry' }).click()
  await expect.poll(app.ledger).toEqual(['milk'])
  expectQuietConsole(networkErrors)
})
