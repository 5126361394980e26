import { expect, test } from 'vitest'
import { describeModes } from './harness/describeModes.ts'
import { startFaultProxy } from './harness/faults/proxy.ts'
import { hydrated } from './harness/hydrated.ts'
import { ageLine, untilCached } from './harness/offlineApp.ts'
import { openPage } from './harness/page.ts'

const everything = { match: () => true }

describeModes('the lab of offline', { app: 'site', modes: ['production'] }, (served) => {
  test('visited pages open, and a submission waits and arrives once', async () => {
    const proxy = await startFaultProxy(served.app.origin)
    const { page } = await openPage(proxy)
    const send = async (word: string) => {
      await page.getByRole('textbox', { name: 'A word' }).fill(word)
      await page.getByRole('button', { name: 'Send', exact: true }).click()
    }
    await page.goto('/lab/offline')
    await hydrated(page)
    await untilCached(page, '/lab/offline')
    await send('oak')
    await page.getByText('The server has: oak').waitFor()
    const fault = proxy.inject({ kind: 'reset' }, everything)
    await send('elm')
    const waiting = page.getByRole('region', { name: 'Waiting to be sent' })
    await waiting.getByText('elm').waitFor()
    await page.reload()
    await ageLine(page).waitFor()
    await waiting.getByText('elm').waitFor()
    fault.remove()
    await page.evaluate(() => dispatchEvent(new Event('online')))
    await page.getByText('The server has: oak, elm').waitFor()
    await expect.poll(() => waiting.count()).toBe(0)
    await proxy.stop()
  })
})
