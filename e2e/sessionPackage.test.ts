import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { describeModes, type Served } from './harness/describeModes.ts'
import { hydrated } from './harness/hydrated.ts'
import { openPage } from './harness/page.ts'
import { openRawSocket } from './harness/rawSocket.ts'
import { heading } from './harness/visit.ts'

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const textOf = (page: Page, id: string) => page.locator(`#${id}`).textContent()
const messages = (page: Page) => page.locator('#messages li').allTextContents()

/** Opens a page of the app, with or without JavaScript. */
async function visit(served: Served, path: string, javaScriptEnabled: boolean): Promise<Page> {
  const { page } = await openPage(served.app, { javaScriptEnabled })
  await page.goto(path)
  if (javaScriptEnabled) await hydrated(page)
  return page
}

async function signIn(served: Served, name: string, javaScriptEnabled = true): Promise<Page> {
  const page = await visit(served, '/enter', javaScriptEnabled)
  await page.getByLabel('Name').fill(name)
  await press(page, 'Sign in')
  await heading(page, `Hello ${name}`).waitFor()
  return page
}

async function cookiesOf(page: Page): Promise<string> {
  const cookies = await page.context().cookies()
  return cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
}

describeModes('sessions', { app: 'sessions' }, (served) => {
  test.each([true, false])(
    'a page reads, an action writes, a layout guards (JavaScript: %s)',
    async (javaScriptEnabled) => {
      const user = `ada ${javaScriptEnabled}`
      const page = await visit(served, '/cart', javaScriptEnabled)
      expect((await served.fetch('/member')).status).toBe(401)
      for (const [item, items] of [
        ['tea', 'tea'],
        ['milk', 'tea, milk'],
      ] as const) {
        await page.getByLabel('Item').fill(item)
        await press(page, 'Add')
        await expect.poll(() => textOf(page, 'items')).toBe(items)
      }
      await page.getByRole('link', { name: 'Enter' }).click()
      await page.getByLabel('Name').fill(user)
      await press(page, 'Sign in')
      await heading(page, `Hello ${user}`).waitFor()
      await expect.poll(() => messages(page)).toEqual([`Welcome, ${user}.`])
      await page.getByLabel('Theme').fill('dark')
      await press(page, 'Set')
      await expect.poll(() => textOf(page, 'theme')).toBe('dark')
      await page.goto('/enter')
      expect(await textOf(page, 'user')).toBe(user)
      expect(await messages(page)).toEqual([])
      await page.goto('/member')
      await heading(page, `Hello ${user}`).waitFor()
      expect(await textOf(page, 'theme')).toBe('dark')
      if (javaScriptEnabled) await hydrated(page)
      await press(page, 'Sign out')
      await heading(page, 'Enter').waitFor()
      expect(await textOf(page, 'user')).toBe('nobody')
      await page.goto('/cart')
      expect(await textOf(page, 'items')).toBe('tea, milk')
    },
  )

  test('browsers get cookies that scripts and other sites can not use', async () => {
    const page = await signIn(served, 'ada cookie')
    const cookies = await page.context().cookies()
    const name = served.mode === 'production' ? '__Host-session' : 'session'
    expect(cookies.find((each) => each.name === name)).toMatchObject({
      httpOnly: true,
      sameSite: 'Lax',
      secure: served.mode === 'production',
      path: '/',
    })
    expect(await page.evaluate(() => document.cookie)).not.toContain('session')
  })

  test('a device ends another one, and a copied cookie is useless afterwards', async () => {
    const one = await signIn(served, 'grace')
    const two = await signIn(served, 'grace')
    const copied = { headers: { cookie: await cookiesOf(two) } }
    const userOfCopy = async () => (await served.fetch('/api/me', copied)).json()
    expect(await userOfCopy()).toMatchObject({ userId: 'grace' })
    const socket = await openRawSocket(served.app, '/api/socket', copied)
    await expect.poll(() => socket.texts).toEqual(['hello grace'])
    await one.reload()
    await hydrated(one)
    await press(one, 'End')
    await expect.poll(() => one.locator('#devices li').count()).toBe(1)
    expect(await socket.closed()).toBe(4401)
    expect(await userOfCopy()).toMatchObject({ userId: null })
    expect((await openRawSocket(served.app, '/api/socket', copied)).status).toBe(401)
    await two.getByRole('link', { name: 'Enter' }).click()
    await expect.poll(() => textOf(two, 'user')).toBe('nobody')
  })

  test('the user cookie of offline pages follows the session', async () => {
    const userCookie = async (session: string) => {
      const headers = { cookie: `${session}; waymark-user=of-before` }
      const { headers: sent } = await served.fetch('/api/me', { headers })
      return sent.getSetCookie().find((line) => line.startsWith('waymark-user='))
    }
    const ada = await userCookie(await cookiesOf(await signIn(served, 'owner one')))
    const eve = await userCookie(await cookiesOf(await signIn(served, 'owner two')))
    expect(ada).toBeTruthy()
    expect(eve).toBeTruthy()
    expect(ada).not.toBe(eve)
  })

  test('responses with a session never enter a shared cache', async () => {
    const page = await signIn(served, 'private')
    const headers = { cookie: await cookiesOf(page) }
    for (const [path, init] of [
      ['/member', { headers }],
      ['/enter', {}],
      ['/cart', {}],
      ['/api/me', { headers }],
      // The page is static, but the response sets a cookie.
      ['/?add', {}],
      ['/api/me', { method: 'POST', headers: { origin: served.app.origin } }],
    ] as const) {
      const response = await served.fetch(path, init)
      expect(response.headers.get('cache-control'), path).toMatch(/private|no-store/)
      expect(response.headers.get('cdn-cache-control') ?? 'no-store', path).toMatch(/no-store/)
      if (path === '/?add') expect(response.headers.get('set-cookie')).toMatch(/cart=/)
    }
    const home = await served.fetch('/')
    expect(home.headers.get('set-cookie')).toBeNull()
  })

  test.each([
    ['/writes', /update\(\) was called while a page was rendering/],
    ['/cached', /cookies\(\) .*cached/],
  ])('%s fails with an error for the author only', async (path, message) => {
    const response = await served.fetch(path)
    expect(response.status).toBe(500)
    expect(response.headers.get('set-cookie')).toBeNull()
    await expect.poll(() => served.app.logs()).toMatch(message)
    if (served.mode === 'production') expect(await response.text()).not.toMatch(message)
  })

  test('another site can not use a session', async () => {
    const page = await signIn(served, 'victim')
    const response = await served.fetch('/member', {
      method: 'POST',
      headers: {
        cookie: await cookiesOf(page),
        origin: 'https://evil.example',
        'sec-fetch-site': 'cross-site',
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: 'x=1',
    })
    expect(response.status).toBe(403)
    await page.reload()
    await heading(page, 'Hello victim').waitFor()
  })

  test('attempts of an account are limited, whatever headers its client sends', async () => {
    const page = await visit(served, '/enter', false)
    for (let at = 0; at < 4; at++) {
      await page.goto('/enter')
      await page.setExtraHTTPHeaders({ 'x-forwarded-for': `203.0.113.${at}` })
      await page.getByLabel('Name').fill('guessed')
      await press(page, 'Sign in')
      if (at < 3) await heading(page, 'Hello guessed').waitFor()
    }
    await expect
      .poll(() => messages(page))
      .toEqual([expect.stringMatching(/^Try again in \d+ s\.$/)])
  })
})
