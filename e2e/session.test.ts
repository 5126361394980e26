import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { describeApp, type Served } from './harness/describeModes.ts'
import { hydrated } from './harness/hydrated.ts'
import { openPage } from './harness/page.ts'
import { pathOf } from './harness/visit.ts'

const press = (page: Page, name: string) => page.getByRole('button', { name }).click()
const heading = (page: Page, name: string) => page.getByRole('heading', { name }).waitFor()
const userOf = (page: Page) => page.locator('#user').textContent()

/** Records all texts that appear on the screen after this call. */
async function watchScreen(page: Page): Promise<() => Promise<string>> {
  await page.evaluate(() => {
    // biome-ignore lint/performance/useDomNodeTextContent: leaves out hidden text
    const text = () => document.body.innerText
    const seen = [text()]
    new MutationObserver(() => seen.push(text())).observe(document.body, {
      attributes: true,
      childList: true,
      characterData: true,
      subtree: true,
    })
    Object.assign(window, { seen })
  })
  return () => page.evaluate(() => (window as unknown as { seen: string[] }).seen.join('\n'))
}

async function signIn(served: Served) {
  const { page } = await openPage(served.app)
  await page.goto('/')
  await hydrated(page)
  await press(page, 'Sign in')
  await heading(page, 'Hello Ada')
  return page
}

describeApp('going back after the session changed', { app: 'session' }, (served) => {
  test('asks the server, and never shows what the previous user saw', async () => {
    const page = await signIn(served)
    expect(await userOf(page)).toBe('Ada')
    await page.getByRole('link', { name: 'Notes' }).click()
    await heading(page, 'Notes')
    await page.getByRole('link', { name: 'Account' }).click()
    await heading(page, 'Hello Ada')
    await press(page, 'Sign out')
    await heading(page, 'Home')
    // The layout that both pages share must have changed, too.
    expect(await userOf(page)).toBe('nobody')
    // The page must not contain the text at all, not even in a hidden element.
    expect(await page.content()).not.toContain('Hello Ada')
    const seen = await watchScreen(page)
    await page.goBack()
    // Going back requests the account page again, which redirects.
    await expect.poll(() => pathOf(page)).toBe('/')
    await heading(page, 'Home')
    await page.goBack()
    await heading(page, 'Notes')
    expect(await seen()).not.toContain('Ada')
  })

  test('even after an action that failed', async () => {
    const page = await signIn(served)
    await page.getByRole('link', { name: 'Notes' }).click()
    await heading(page, 'Notes')
    await page.getByRole('link', { name: 'Account' }).click()
    await heading(page, 'Hello Ada')
    await press(page, 'Break off')
    await page.getByRole('link', { name: 'Home' }).click({ force: true })
    await heading(page, 'Home')
    // Wait until the action is done, because the session changes only then.
    await page.locator('#user', { hasText: 'nobody' }).waitFor()
    const seen = await watchScreen(page)
    await page.goBack()
    // Going back requests the account page again, which redirects.
    await expect.poll(() => pathOf(page)).toBe('/')
    await heading(page, 'Home')
    expect(await seen()).not.toContain('Ada')
  })

  test('even if it changed in another tab', async () => {
    const page = await signIn(served)
    await page.getByRole('link', { name: 'Notes' }).click()
    await heading(page, 'Notes')
    const other = await page.context().newPage()
    await other.goto('/account')
    await hydrated(other)
    await press(other, 'Sign out')
    await heading(other, 'Home')
    const seen = await watchScreen(page)
    await page.goBack()
    await heading(page, 'Home')
    expect(await seen()).not.toContain('Hello Ada')
  })
})

const countIn = (html: string) => /id="count">(\d+)/.exec(html)?.[1]

const dataOnly = {
  'vite.config.ts': `import { waymark } from 'waymark/vite'

export default { plugins: [waymark({ navigation: { keepMounted: 0 } })] }
`,
}

describeApp('pages that are cached as data', { app: 'session', files: dataOnly }, (served) => {
  test('are shown at once after going back, but not after the session has changed', async () => {
    const page = await signIn(served)
    await page.getByRole('link', { name: 'Notes' }).click()
    await heading(page, 'Notes')
    await page.getByLabel('Draft').fill('half a sentence')
    await page.getByRole('link', { name: 'Account' }).click()
    await heading(page, 'Hello Ada')
    const headings = () => page.locator('h1').allTextContents()
    expect(await headings()).toEqual(['Hello Ada'])

    const requests: string[] = []
    page.on('request', (request) => {
      if (!('waymark-prefetch' in request.headers())) requests.push(request.url())
    })
    await page.goBack()
    await heading(page, 'Notes')
    expect(await page.getByLabel('Draft').inputValue()).toBe('')
    await page.goForward()
    await heading(page, 'Hello Ada')
    expect([await headings(), requests]).toEqual([['Hello Ada'], []])

    await press(page, 'Sign out')
    await heading(page, 'Home')
    const seen = await watchScreen(page)
    await page.goBack()
    // The account page redirects.
    await expect.poll(() => pathOf(page)).toBe('/')
    await page.goBack()
    await heading(page, 'Notes')
    expect([requests.some((url) => url.includes('/notes.rsc')), await seen()]).toEqual([
      true,
      expect.not.stringContaining('Ada'),
    ])
  })
})

describeApp(
  'scroll positions of pages that are cached as data',
  { app: 'session', files: dataOnly },
  (served) => {
    test('are restored by going back and forward, even after data was fetched again', async () => {
      const { page } = await openPage(served.app)
      await page.goto('/notes')
      await hydrated(page)
      await page.addStyleTag({ content: 'body { min-height: 4000px }' })
      const scrollTo = (y: number) => page.evaluate((top) => window.scrollTo(0, top), y)
      const place = () => page.evaluate(() => Math.round(window.scrollY))
      // Dispatch the event, because a real click would scroll to the link.
      const follow = (name: string) => page.getByRole('link', { name }).dispatchEvent('click')
      await scrollTo(1200)
      await follow('Home')
      await heading(page, 'Home')
      await expect.poll(place).toBe(0)
      await scrollTo(700)
      await page.goBack()
      await heading(page, 'Notes')
      await expect.poll(place).toBe(1200)
      await page.goForward()
      await heading(page, 'Home')
      await expect.poll(place).toBe(700)

      const countOnServer = async () => Number(countIn(await (await served.fetch('/notes')).text()))
      const before = await countOnServer()
      await page.getByRole('button', { name: 'Add' }).dispatchEvent('click')
      await expect.poll(countOnServer).toBe(before + 1)
      await page.goBack()
      await expect.poll(() => page.textContent('#count')).toBe(String(before + 1))
      await expect.poll(place).toBe(1200)
    })
  },
)

describeApp('going back after an action revalidated', { app: 'session' }, (served) => {
  test('asks the server before it shows the page, and keeps typed text', async () => {
    const { page } = await openPage(served.app)
    await page.goto('/notes')
    const before = Number(await page.textContent('#count'))
    await hydrated(page)
    await page.getByLabel('Draft').fill('half a sentence')
    await page.getByRole('link', { name: 'Home' }).click()
    await heading(page, 'Home')
    const added = page.waitForResponse((each) => each.request().method() === 'POST')
    await press(page, 'Add')
    await (await added).finished()
    const response = page.waitForResponse((each) => each.url().includes('/notes.rsc'))
    await page.waitForTimeout(300)
    const seen = await watchScreen(page)
    await page.goBack()
    await response
    await heading(page, 'Notes')
    expect(await page.textContent('#count')).toBe(String(before + 1))
    expect((await seen()).split('\n')).not.toContain(String(before))
    expect(await page.getByLabel('Draft').inputValue()).toBe('half a sentence')
  })
})
