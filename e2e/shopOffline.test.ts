import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { afterAll, expect, test } from 'vitest'
import { describeModes } from './harness/describeModes.ts'
import { startFaultProxy } from './harness/faults/proxy.ts'
import { hydrated } from './harness/hydrated.ts'
import { ageLine, untilCached } from './harness/offlineApp.ts'
import { openPage } from './harness/page.ts'

const data = mkdtempSync(`${tmpdir()}/shop-offline-`)
afterAll(() => rmSync(data, { recursive: true }))
const shop = { app: 'examples/shop', env: { SHOP_DATA: data }, modes: ['production'] } as const

describeModes('the shop without a network', shop, (served) => {
  test('has a cart that can be opened and changed', async () => {
    const proxy = await startFaultProxy(served.app.origin)
    const { page } = await openPage(proxy)
    await page.goto('/en/products/morning-cup')
    await page.getByRole('button', { name: 'Add to cart' }).click()
    await page.getByText('In your cart: 1.').waitFor()
    await page.getByRole('link', { name: 'Cart 1', exact: true }).click()
    await page.getByRole('heading', { name: 'Cart', exact: true }).waitFor()
    await untilCached(page, '/en/cart')
    const fault = proxy.inject({ kind: 'reset' }, { match: () => true })
    await page.reload()
    await ageLine(page).waitFor()
    await hydrated(page)
    await page.getByRole('button', { name: /^One more/ }).click()
    await page.getByRole('region', { name: 'Waiting for a connection' }).waitFor()
    fault.remove()
    await page.evaluate(() => dispatchEvent(new Event('online')))
    await expect.poll(() => page.locator('.count').textContent()).toBe(' 2')
    await expect.poll(() => ageLine(page).count()).toBe(0)
    await proxy.stop()
  })
})
