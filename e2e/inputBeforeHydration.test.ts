import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { describeApp } from './harness/describeModes.ts'
import { holdScripts } from './harness/holdScripts.ts'
import { hydrated } from './harness/hydrated.ts'
import { openPage } from './harness/page.ts'

/**
 * Requests a page once, because a dev server transforms the page's modules at the first request.
 */
async function warmUp(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await hydrated(page)
}

async function choose(page: Page): Promise<void> {
  await page.getByLabel('Theme').selectOption('dark')
  await page.getByLabel('List').selectOption('b')
  await page.getByLabel('Box').check()
  await page.getByLabel('Radio b').check()
  await page.getByLabel('Name').fill('Ada')
  await page.getByText('More').click()
}

async function expectChosen(page: Page): Promise<void> {
  await expect.poll(() => page.locator('output').textContent()).toBe('b,true,b,Ada,true')
  await expect.poll(() => page.locator('html').getAttribute('data-theme')).toBe('dark')
  expect(await page.getByLabel('Theme').inputValue()).toBe('dark')
  // Match the whole text, because the dev server's overlay may also contain it.
  expect(await page.getByText('Of it', { exact: true }).isVisible()).toBe(true)
  expect(await page.evaluate(() => localStorage.getItem('theme'))).toBe('dark')
}

/** True once React has started to hydrate. */
const hasBegun = () => Object.keys(document).some((key) => key.startsWith('__reactContainer'))

/** True once React has rendered the field and has marked its element. */
const hasRendered = () =>
  Object.keys(document.querySelector('select') ?? {}).some((key) => key.startsWith('__reactFiber'))

describeApp('input before hydration', { app: 'beforeHydration' }, (served) => {
  test.each([
    ['if all scripts are late, and components handle the events', '/'],
    ['while React hydrates a slow page', '/slow'],
  ])('stays %s', async (_, path) => {
    const { page, expectQuietConsole } = await openPage(served.app, { colorScheme: 'light' })
    const release = await holdScripts(page)
    await page.goto(path, { waitUntil: 'commit' })
    await choose(page)
    release()
    await expectChosen(page)
    // In development, React warns about the `<details>` element that a person has opened.
    if (served.mode === 'production') expectQuietConsole()
  })

  test.each([
    ['if only the code of its component is late', '/', 'chosen-component', hasBegun],
    ['if React waits for the code of a sibling', '/beside', 'late-part', hasRendered],
  ])('stays %s', async (_, path, held, isReady) => {
    const { page, expectQuietConsole } = await openPage(served.app, { colorScheme: 'light' })
    if (served.mode === 'dev') await warmUp(page, path)
    const release = await holdScripts(page, (code) => code.includes(held))
    await page.goto(path, { waitUntil: 'commit' })
    await page.waitForFunction(isReady)
    await choose(page)
    release()
    await expectChosen(page)
    // In development, React warns about the `<details>` element that a person has opened.
    if (served.mode === 'production') expectQuietConsole()
  })

  test('causes one event if components handled it before there was a router', async () => {
    const { page, expectQuietConsole } = await openPage(served.app)
    if (served.mode === 'dev') await warmUp(page, '/')
    const release = await holdScripts(page, (code) => code.includes('scrollRestoration'))
    await page.addInitScript(() => localStorage.setItem('theme', 'dark'))
    await page.goto('/', { waitUntil: 'commit' })
    // The field gets the theme once React's effects have run.
    await expect.poll(() => page.getByLabel('Theme').inputValue()).toBe('dark')
    await page.getByLabel('Box').check()
    await page.getByLabel('Name').fill('Ada')
    await expect.poll(() => page.locator('output').textContent()).toBe('a,true,a,Ada,false')
    await page.evaluate(() => {
      Object.assign(window, { eventTypes: [] })
      for (const type of ['click', 'input', 'change']) {
        addEventListener(
          type,
          () => (window as unknown as { eventTypes: string[] }).eventTypes.push(type),
          true,
        )
      }
    })
    release()
    await page.waitForFunction(() => history.scrollRestoration === 'manual')
    await page.waitForTimeout(500)
    expect(await page.evaluate('eventTypes')).toEqual([])
    expectQuietConsole()
  })

  test.each([
    ['is deleted', 'Word', (page: Page) => page.keyboard.press('Backspace')],
    ['is deleted in a controlled field', 'Note', (page: Page) => page.keyboard.press('Backspace')],
    ['is reset', 'Word', (page: Page) => page.getByRole('button', { name: 'Empty' }).click()],
  ])('and %s does not come back', async (_, label, empty) => {
    const { page, expectQuietConsole } = await openPage(served.app)
    if (served.mode === 'dev') await warmUp(page, '/submitted')
    const release = await holdScripts(page, (code) => code.includes('told-part'))
    await page.goto('/submitted', { waitUntil: 'commit' })
    await page.waitForFunction(hasBegun)
    await page.getByLabel(label).pressSequentially('o')
    await empty(page)
    release()
    await hydrated(page)
    await page.waitForTimeout(500)
    expect(await page.getByLabel(label).inputValue()).toBe('')
    expectQuietConsole()
  })

  test('that a function of the browser has sent is cleared from its form', async () => {
    const { page, expectQuietConsole } = await openPage(served.app)
    const release = await holdScripts(page)
    await page.goto('/submitted', { waitUntil: 'commit' })
    await page.getByLabel('Word').fill('oak')
    await page.getByRole('button', { name: 'Tell' }).click()
    release()
    await expect.poll(() => page.locator('output').textContent()).toBe('oak')
    await expect.poll(() => page.getByLabel('Word').inputValue()).toBe('')
    await page.waitForTimeout(500)
    expect(await page.getByLabel('Word').inputValue()).toBe('')
    expectQuietConsole()
  })

  // Chromium aborts a document that is still streaming when it submits a form in the document.
  test('and a form that the browser sends from a streaming page cause no error', async () => {
    const { page, expectQuietConsole } = await openPage(served.app)
    if (served.mode === 'dev') await warmUp(page, '/streamed')
    await page.goto('/streamed', { waitUntil: 'commit' })
    await hydrated(page)
    const posted: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST') posted.push(new URL(request.url()).pathname)
    })
    await page.getByRole('button', { name: 'Order' }).click({ noWaitAfter: true })
    await page.waitForTimeout(1500)
    await page.getByText('3 left').waitFor()
    expect(posted).toEqual(['/streamed'])
    expectQuietConsole()
  })
})
