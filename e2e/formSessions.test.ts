import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { describeApp, describeModes, type Served } from './harness/describeModes.ts'
import { hydrated } from './harness/hydrated.ts'
import { openPage } from './harness/page.ts'
import { heading, pathOf } from './harness/visit.ts'

const press = (page: Page, name: string) => page.getByRole('button', { name }).click()
const follow = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).click()
const valueIn = (page: Page, label: string) => page.getByLabel(label, { exact: true }).inputValue()
/** Returns the visible notice, not its copy for screen readers. */
const restoredNotice = (page: Page) =>
  page.getByText('Everything you entered is here again').first()

async function signIn(page: Page, name: string): Promise<void> {
  await heading(page, 'Login').waitFor()
  await page.getByLabel('Name').fill(name)
  await press(page, 'Sign in')
  await page.locator('#user', { hasText: name }).waitFor()
}

/** Signs Ada in, using another tab of the same browser. */
async function signInOtherTab(page: Page): Promise<void> {
  const other = await page.context().newPage()
  await other.goto('/login')
  await hydrated(other)
  await signIn(other, 'Ada')
}

/** Opens a form as Ada, and fills in its fields. */
async function fillIn(served: Served, path: string, title: string): Promise<Page> {
  const { page } = await openPage(served.app)
  await page.goto(`/login?next=${path}`)
  await hydrated(page)
  await signIn(page, 'Ada')
  await heading(page, 'Write').waitFor()
  await type(page, title)
  return page
}

async function type(page: Page, title: string): Promise<void> {
  await page.getByLabel('Title').fill(title)
  await page.getByLabel('Text').fill('precious')
  await page.getByLabel('Public').check()
  await page.getByLabel('Secret').fill('sesame')
  await page.getByLabel('Card').fill('4111111111111111')
  await page.getByLabel('Code').fill('987654')
  await page
    .getByLabel('File')
    .setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('of a file') })
}

/** Removes the session cookie, as a browser does when the cookie expires. */
const endSession = (page: Page) => page.context().clearCookies({ name: 'user' })

async function expectFilledIn(page: Page, title: string): Promise<void> {
  await restoredNotice(page).waitFor()
  await expect.poll(() => valueIn(page, 'Title')).toBe(title)
  await expect.poll(() => valueIn(page, 'Text')).toBe('precious')
  // The form's component has received the restored text as well.
  await expect.poll(() => page.locator('#heard').textContent()).toBe('precious')
  expect(await page.getByLabel('Public').isChecked()).toBe(true)
}

async function expectSentOnce(served: Served, page: Page, title: string): Promise<void> {
  await press(page, 'Send')
  await expect.poll(() => valueIn(page, 'Title')).toBe('')
  await expect.poll(() => sent(served, title)).toEqual([`Ada: ${title}, precious`])
}

async function sent(served: Served, title: string): Promise<string[]> {
  const ledger = (await (await served.fetch('/ledger')).json()) as string[]
  return ledger.filter((line) => line.includes(`: ${title}, `))
}

/** Returns all values that the tab has stored. */
const stored = (page: Page) =>
  page.evaluate(() => JSON.stringify([{ ...sessionStorage }, { ...localStorage }]))

const screens = ['/inLayout', '/inPage', '/inAction'] as const
const redirects = ['/redirecting', '/proxied'] as const

const german = {
  'screens.ts': `export const texts = {
  de: {
    packages: {
      '@waymark/offline': { form: { restored: 'Deine Eingaben sind wieder da.', ok: 'Gut' } },
    },
  },
}
export const defaultLanguage = 'de'
export const language = () => 'de'
`,
}

describeModes(
  'a form that is filled in again',
  { app: 'formSessions', files: german, modes: ['production'] },
  (served) => {
    test('says so with the text of screens.ts', async () => {
      const page = await fillIn(served, '/inLayout', 'German')
      await endSession(page)
      await press(page, 'Send')
      await heading(page, 'Sign in first').waitFor()
      await follow(page, '/login')
      await signIn(page, 'Ada')
      await follow(page, '/inLayout')
      await page.getByText('Deine Eingaben sind wieder da.').first().waitFor()
      await press(page, 'Gut')
      expect(await valueIn(page, 'Title')).toBe('German')
    })
  },
)

describeApp('a session that ends while somebody types', { app: 'formSessions' }, (served) => {
  const titleOf = (name: string) => `${served.mode} ${name}`

  test.each(screens)('a 401 of %s: after a sign-in, the form is filled in', async (path) => {
    const title = titleOf(path)
    const page = await fillIn(served, path, title)
    await endSession(page)
    await press(page, 'Send')
    await heading(page, 'Sign in first').waitFor()
    expect(await sent(served, title)).toEqual([])
    const storage = await stored(page)
    expect(storage).toContain('precious')
    for (const secret of ['sesame', '4111', '987654', 'of a file', 'a.txt']) {
      expect(storage).not.toContain(secret)
    }
    await follow(page, '/login')
    await signIn(page, 'Ada')
    await follow(page, path)
    await expectFilledIn(page, title)
    for (const label of ['Secret', 'Card', 'Code', 'File']) {
      expect(await valueIn(page, label)).toBe('')
    }
    expect(await stored(page)).not.toContain('precious')
    await expectSentOnce(served, page, title)
  })

  test.each(redirects)('a redirect of %s: after a sign-in, the form is filled in', async (path) => {
    const title = titleOf(path)
    const page = await fillIn(served, path, title)
    await endSession(page)
    await press(page, 'Send')
    await expect.poll(() => pathOf(page)).toBe(`/login?next=${path}`)
    expect(await sent(served, title)).toEqual([])
    await signIn(page, 'Ada')
    await expectFilledIn(page, title)
    await expectSentOnce(served, page, title)
  })

  test('after a sign-in in another tab, a reload restores the form', async () => {
    const title = titleOf('other tab, after')
    const page = await fillIn(served, '/inLayout', title)
    await endSession(page)
    await press(page, 'Send')
    await heading(page, 'Sign in first').waitFor()
    await signInOtherTab(page)
    await page.reload()
    await expectFilledIn(page, title)
    await expectSentOnce(served, page, title)
  })

  test('if another tab has signed in before, the form is simply sent', async () => {
    const title = titleOf('other tab, before')
    const page = await fillIn(served, '/inLayout', title)
    await endSession(page)
    await signInOtherTab(page)
    await expectSentOnce(served, page, title)
    expect(await restoredNotice(page).count()).toBe(0)
  })

  test('a sign-in on the screen restores the form once', async () => {
    const title = titleOf('in the screen')
    const page = await fillIn(served, '/inLayout', title)
    await endSession(page)
    await press(page, 'Send')
    await heading(page, 'Sign in first').waitFor()
    await page.getByLabel('Your account').fill('Ada')
    await press(page, 'Sign in here')
    await expectFilledIn(page, title)
    await page.getByLabel('Title').fill('')
    await page.reload()
    await hydrated(page)
    await page.waitForTimeout(500)
    expect(await valueIn(page, 'Title')).toBe('')
    expect(await restoredNotice(page).count()).toBe(0)
  })

  test('a page without client code is filled in, too', async () => {
    const title = titleOf('plain')
    const { page } = await openPage(served.app)
    await page.goto('/login?next=/plain')
    await hydrated(page)
    await signIn(page, 'Ada')
    await heading(page, 'Write').waitFor()
    await page.getByLabel('Title').fill(title)
    await page.getByLabel('Text').fill('precious')
    await endSession(page)
    await press(page, 'Send')
    await heading(page, 'Sign in first').waitFor()
    await page.context().addCookies([{ name: 'user', value: 'Ada', url: served.app.origin }])
    await page.reload()
    await restoredNotice(page).waitFor()
    expect(await valueIn(page, 'Title')).toBe(title)
    await expectSentOnce(served, page, title)
  })

  test.each(['/inLayout', '/redirecting'] as const)(
    'a refresh of %s that finds the session ended loses nothing',
    async (path) => {
      const title = titleOf(`refreshed ${path}`)
      const page = await fillIn(served, path, title)
      await endSession(page)
      await press(page, 'Refresh')
      await heading(page, path === '/inLayout' ? 'Sign in first' : 'Login').waitFor()
      await follow(page, '/login')
      await signIn(page, 'Ada')
      await follow(page, path)
      await expectFilledIn(page, title)
    },
  )
})

describeApp('a shared machine', { app: 'formSessions' }, (served) => {
  /** Submits a form of Ada's that the server refuses, and returns the sign-in page. */
  async function refused(title: string, user?: string): Promise<Page> {
    const page = await fillIn(served, '/inLayout', title)
    if (user) await nameUser(page, user)
    await endSession(page)
    await press(page, 'Send')
    await heading(page, 'Sign in first').waitFor()
    expect(await stored(page)).toContain('precious')
    await follow(page, '/login')
    return page
  }

  /** Marks the page as belonging to a user, as `<OfflineUser>` does. */
  const nameUser = (page: Page, user: string) =>
    page.evaluate((id) => {
      const mark = localStorage.getItem('waymark-session')
      localStorage.setItem('waymark-offline-user', JSON.stringify([id, mark]))
    }, user)

  async function expectNothing(page: Page): Promise<void> {
    await heading(page, 'Write').waitFor()
    await page.waitForTimeout(500)
    for (const label of ['Title', 'Text']) expect(await valueIn(page, label)).toBe('')
    expect(await stored(page)).not.toContain('precious')
    expect(await page.content()).not.toContain('precious')
  }

  test('another user whom the app names gets nothing of the form', async () => {
    const page = await refused(`${served.mode} of Ada`, 'ada')
    await signIn(page, 'Bob')
    await nameUser(page, 'bob')
    await follow(page, '/inLayout')
    await expectNothing(page)
  })

  test('the user gets the form back', async () => {
    const title = `${served.mode} of Ada again`
    const page = await refused(title, 'ada')
    await signIn(page, 'Ada')
    await nameUser(page, 'ada')
    await follow(page, '/inLayout')
    await expectFilledIn(page, title)
  })

  test('if the app names no user, a sign-out deletes the stored form', async () => {
    const page = await refused(`${served.mode} nameless`)
    await signIn(page, 'Ada')
    await press(page, 'Sign out')
    await page.locator('#user', { hasText: 'nobody' }).waitFor()
    await expect.poll(() => stored(page)).not.toContain('precious')
    await follow(page, '/login')
    await signIn(page, 'Bob')
    await follow(page, '/inLayout')
    await expectNothing(page)
  })

  test('after a sign-out in another tab, a refresh deletes the stored form', async () => {
    const page = await fillIn(served, '/inLayout', 'gone')
    const other = await page.context().newPage()
    await other.goto('/')
    await hydrated(other)
    await press(other, 'Sign out')
    await other.locator('#user', { hasText: 'nobody' }).waitFor()
    await press(page, 'Refresh')
    await heading(page, 'Sign in first').waitFor()
    expect(await stored(page)).not.toContain('precious')
  })
})
