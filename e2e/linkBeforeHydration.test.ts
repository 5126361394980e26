import { test } from 'vitest'
import { describeModes } from './harness/describeModes.ts'
import { hydratedElement, openPage } from './harness/page.ts'

describeModes('React that loads after a click', { app: 'plain', modes: ['dev'] }, (served) => {
  test('finds no attribute on the link that it would warn about', async () => {
    const { page, expectQuietConsole } = await openPage(served.app)
    await page.goto('/linked')
    await hydratedElement(page.locator('a').first())
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route(/startReact[-.]|react-dom/, (route) => released.then(() => route.continue()))
    await page.route(/routerChunk/, async (route) => {
      await hydratedElement(page.locator('a').first())
      await route.continue()
    })
    await page.goto('/linked')
    await page.getByRole('link').first().click()
    release()
    await page.waitForURL((url) => url.pathname !== '/linked')
    expectQuietConsole()
  })
})
