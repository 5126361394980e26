import { expect, test } from 'vitest'
import { runWaymark } from './harness/commandLine.ts'
import { describeApp } from './harness/describeModes.ts'
import { openPage } from './harness/page.ts'

// Tests a package from outside Waymark, with an endpoint, hooks in browsers, components and a
// command.

const path = '/_waymark/flags'

describeApp('the feature flags of the examples', { app: 'examples/flags' }, (served) => {
  test('are those of the user, on the server and in the browser', async () => {
    const { page, expectQuietConsole } = await openPage(served.app)
    await page.goto('/shop')
    await page.getByText('The server shows the old checkout.').waitFor()
    await page.getByText('The browser shows the old checkout.').waitFor()
    await page.goto('/')
    await page.getByLabel('Name').fill('ada')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('The server shows the new checkout.').waitFor()
    await page.getByText('The browser shows the new checkout.').waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('link', { name: 'shop' }).click()
    await page.getByText('The browser shows the old checkout.').waitFor()
    expectQuietConsole()
  })

  test('stay the same while the server is away, with a notice', async () => {
    const { page } = await openPage(served.app)
    await page.context().addCookies([{ name: 'user', value: 'grace', url: served.app.origin }])
    await page.goto('/shop')
    await page.getByText('The browser shows the new checkout.').waitFor()
    await page.route(`**${path}`, (route) => route.abort())
    await page.getByRole('button', { name: 'Sign out' }).click()
    const alert = page.getByRole('alert')
    // The app has replaced the English default with its own text.
    await alert.getByText("We couldn't load the newest features.").waitFor()
  })

  test('have a notice in the language of the visitor', async () => {
    const { page } = await openPage(served.app, { locale: 'de-DE' })
    await page.route(`**${path}`, (route) => route.abort())
    await page.goto('/shop')
    const alert = page.getByRole('alert')
    await expect.poll(() => alert.textContent()).toMatch(/^Einige Funktionen/)
    expect(await alert.getAttribute('lang')).toBe('de')
  })

  test('are private to the user who asks, and read-only', async () => {
    const response = await served.fetch(path, { headers: { cookie: 'user=ada' } })
    expect(await response.json()).toEqual({ newCheckout: true })
    expect(response.headers.get('cache-control')).toMatch(/private|no-store/)
    for (const cookie of ['', 'user=eve', 'user=%E0%A4%A', 'user=__proto__']) {
      const foreign = await served.fetch(path, { headers: { cookie } })
      expect(await foreign.json(), cookie).toEqual({ newCheckout: false })
    }
    const posted = await served.fetch(path, { method: 'POST' })
    expect([405, 415]).toContain(posted.status)
  })

  test('are printed by a command of the package', async () => {
    const { exitCode, output } = await runWaymark(['flags', 'ada', '--json'], served.app.root)
    expect([exitCode, JSON.parse(output)]).toEqual([0, { newCheckout: true }])
    expect((await runWaymark(['flags'], served.app.root)).exitCode).toBe(2)
  })
})
