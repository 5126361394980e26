import type { Page } from 'playwright-core'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type App, startApp } from './harness/app.ts'
import { freePort } from './harness/freePort.ts'
import { openPage } from './harness/page.ts'
import { heading } from './harness/visit.ts'

const files = { app: 'offline', mode: 'production' } as const

/** An app whose server can be taken away. */
async function start() {
  const port = await freePort()
  let served: App | null = await startApp({ ...files, port })
  const end = async () => {
    await served?.stop()
    served = null
  }
  onTestFinished(end)
  return {
    origin: served.origin,
    end,
    async again() {
      served = await startApp({ ...files, port })
    },
  }
}

/** Resolves once a page is kept. */
async function isKept(page: Page, path: string): Promise<void> {
  await expect
    .poll(() => page.evaluate(async (url) => Boolean(await caches.match(url)), path))
    .toBe(true)
}

describe('without a network', () => {
  test('a page that was seen opens by a click, and as a document', async () => {
    const app = await start()
    const { page } = await openPage(app)
    await page.goto('/read')
    await isKept(page, '/read')
    await page.getByRole('link', { name: '/', exact: true }).click()
    await heading(page, 'Home').waitFor()
    await isKept(page, '/')
    await app.end()
    await page.getByRole('link', { name: '/read' }).click()
    await heading(page, 'Read').waitFor()
    await page.getByText(/As of .*No connection/).waitFor()
    await page.reload()
    await heading(page, 'Read').waitFor()
    await page.getByRole('button', { name: 'Counted 0' }).click()
    await page.getByRole('button', { name: 'Counted 1' }).waitFor()
    await page.getByText(/As of .*No connection/).waitFor()
  })
})
