import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { describeModes } from './harness/describeModes.ts'
import { hydrated } from './harness/hydrated.ts'
import { openPage } from './harness/page.ts'

describeModes('the lab of faults', { app: 'site', modes: ['production'] }, (served) => {
  test.each([
    ['Ends in the middle, cleanly', 'arrives'],
    ['502 from a gateway', 'arrives'],
    ['Never responds', 'is late'],
  ])('%s: the target %s', async (fault, outcome) => {
    const { page } = await openPage(served.app)
    // Record the requests here, because the page's own list disappears with its document.
    const disturbed: string[] = []
    await page.exposeFunction('tellDisturbed', (kind: string) => disturbed.push(kind))
    await page.addInitScript(() => {
      const { tellDisturbed } = window as unknown as { tellDisturbed(kind: string): void }
      navigator.serviceWorker.addEventListener('message', ({ data }) => {
        if (data.fault !== 'none') tellDisturbed(data.kind)
      })
    })
    await page.goto('/lab/faults')
    await hydrated(page)
    await page.getByLabel('Fault').selectOption(fault)
    await page.getByText('The fault is active').waitFor()
    await page.getByRole('link', { name: 'To the target' }).click()
    await expect.poll(() => disturbed).toContain('data')
    if (outcome === 'is late') await page.locator('[data-waymark-notice]').waitFor()
    else await page.getByRole('heading', { name: 'The target' }).waitFor()
  })

  test('a server that restarts: the target arrives without a click', async () => {
    const page = await disturbed(served.app, 'The server restarts for 2 s', ['Page data'])
    await page.getByRole('link', { name: 'To the target' }).click()
    await page.getByRole('heading', { name: 'The target' }).waitFor()
    await expect.poll(() => page.locator('[data-waymark-notice]').count()).toBe(0)
  })

  test('code of a component: its HTML stays, and a notice loads it again', async () => {
    const page = await disturbed(served.app, '404 from a gateway', ['Code of a component'])
    await page.getByRole('link', { name: 'To a target with new code' }).click()
    const retry = page.locator('[data-waymark-notice]').getByRole('button', { name: 'Retry' })
    await retry.waitFor()
    expect(await page.locator('output').textContent()).toBe('40')
    await heal(page)
    await retry.click()
    await retry.waitFor({ state: 'detached' })
    await expect
      .poll(async () => {
        await page.getByRole('slider').fill('55')
        return page.locator('output').textContent()
      })
      .toBe('55')
  })

  test('code of an import(): the button of the error screen loads it again', async () => {
    const page = await disturbed(served.app, '404 from a gateway', ['Code of an import()'])
    await page.getByRole('link', { name: 'To a target that imports code' }).click()
    await page.getByRole('button', { name: 'Import the code' }).click()
    await page.getByRole('heading', { name: 'The code couldn’t be loaded' }).waitFor()
    await heal(page)
    await expect
      .poll(async () => {
        for (const name of ['Try again', 'Import the code']) {
          const button = page.getByRole('button', { name })
          if (await button.isVisible()) await button.click()
        }
        return page.getByText('The imported code has arrived.').count()
      })
      .toBe(1)
  })

  test.each(['Resets before the first byte', '500 from the server', 'Never responds'])(
    'actions, %s: the text stays, and is sent again',
    async (fault) => {
      const page = await disturbed(served.app, fault, ['Actions'])
      await page.getByRole('link', { name: 'To a target with actions' }).click()
      await page.getByLabel('A word').fill('oak')
      await page.getByRole('button', { name: 'Send the word' }).click()
      const retry = page.locator('[data-waymark-notice]').getByRole('button', { name: 'Retry' })
      await retry.waitFor()
      expect(await page.getByLabel('A word').inputValue()).toBe('oak')
      await heal(page)
      await retry.click()
      await page.getByText('The server has received: oak').waitFor()
    },
  )

  test('prefetches can be disturbed and watched', async () => {
    const { page } = await openPage(served.app)
    await page.goto('/lab/faults/prefetch')
    await hydrated(page)
    const more = page.getByRole('button', { name: 'more links' })
    await page.getByLabel('Prefetches').check()
    await page.getByLabel('Fault').selectOption('“Not now”, for 5 s')
    await page.getByText('The fault is active').waitFor()
    await more.click()
    const result = page.getByText('Prefetched through the worker')
    await expect.poll(() => result.textContent()).toMatch(/worker: [1-4], with a fault: [1-4]/)
    // Wait until the text is steady, because requests that were already under way are counted as
    // well.
    let resultText: string | null = null
    const isSteady = async () => {
      const before = resultText
      resultText = await result.textContent()
      return resultText === before
    }
    await expect.poll(isSteady, { interval: 500 }).toBe(true)
    await more.click()
    await page.waitForTimeout(300)
    expect(await result.textContent()).toBe(resultText)
    await page.getByRole('link', { name: '12', exact: true }).click()
    await page.getByRole('heading', { name: 'The static target' }).waitFor()
  })
})

/** Opens the lab with a fault for some kinds of responses. */
async function disturbed(app: { readonly origin: string }, fault: string, kinds: string[]) {
  const { page } = await openPage(app)
  await page.goto('/lab/faults')
  await hydrated(page)
  await page.getByLabel('Page data').uncheck()
  for (const kind of kinds) await page.getByLabel(kind).check()
  await page.getByLabel('Fault').selectOption(fault)
  await page.getByText('The fault is active').waitFor()
  return page
}

async function heal(page: Page): Promise<void> {
  await page.getByLabel('Fault').selectOption('None')
  await page.getByText('No fault is active.').waitFor()
}
