import type { BrowserContextOptions, Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { describeApp, type Served } from './harness/describeModes.ts'
import { startFaultProxy } from './harness/faults/proxy.ts'
import { frameThemes, noteFrameThemes } from './harness/frameThemes.ts'
import { holdScripts } from './harness/holdScripts.ts'
import { openPage } from './harness/page.ts'

const ready = (page: Page) => page.locator('[data-hydrated=true]').first().waitFor()

/** Returns the page's theme, and the person's preference. */
const themeOf = (page: Page) =>
  page.evaluate(() => {
    const { dataset, style } = document.documentElement
    return [dataset.theme, style.colorScheme, dataset.themePreference]
  })

function preferring(served: Served, value: string): BrowserContextOptions {
  const localStorage = [{ name: 'theme', value }]
  return {
    storageState: { cookies: [], origins: [{ origin: served.app.origin, localStorage }] },
  }
}

describeApp('a forced theme', { app: 'theme' }, (served) => {
  test('applies while its route is shown, and the preference stays', async () => {
    const { page, expectQuietConsole } = await openPage(served.app, preferring(served, 'light'))
    await page.goto('/')
    await ready(page)
    const steps = [
      ['/night', 'Night', 'dark'],
      ['/night/day', 'Day', 'light'],
      ['/night/odd', 'Odd', 'dark'],
      ['/', 'Static', 'light'],
      ['/night/missing', 'It is dark in here', 'dark'],
      ['/dynamic', 'Dynamic', 'light'],
    ] as const
    for (const [path, heading, theme] of steps) {
      await page.locator(`nav a[href="${path}"]`).click()
      await page.getByRole('heading', { name: heading }).waitFor()
      expect(await themeOf(page), path).toEqual([theme, theme, 'light'])
    }
    await page.goBack()
    await page.getByRole('heading', { name: 'It is dark in here' }).waitFor()
    expect(await themeOf(page)).toEqual(['dark', 'dark', 'light'])
    expect(await page.locator('#theme').textContent()).toBe('light → dark')
    expect(await page.evaluate(() => localStorage.getItem('theme'))).toBe('light')
    expectQuietConsole([/404/])
  })

  test('of a document is dropped by the first navigation', async () => {
    const { page } = await openPage(served.app, preferring(served, 'light'))
    await page.goto('/night')
    await ready(page)
    expect(await page.locator('#night').textContent()).toBe('light → dark')
    await page.locator('nav a[href="/"]').click()
    await page.getByRole('heading', { name: 'Static' }).waitFor()
    expect(await themeOf(page)).toEqual(['light', 'light', 'light'])
  })

  test('does not flicker while a late part of its page hydrates', async () => {
    const { page } = await openPage(served.app, preferring(served, 'dark'))
    await noteFrameThemes(page)
    await page.goto('/night/late')
    await ready(page)
    await page.getByRole('heading', { name: 'Late' }).waitFor()
    expect(await frameThemes(page)).toEqual(['light'])
  })

  test('differs from the preference, which can be changed meanwhile', async () => {
    const { page } = await openPage(served.app, preferring(served, 'light'))
    await page.goto('/night/day')
    await ready(page)
    await page.getByRole('button', { name: 'dark', exact: true }).first().click()
    expect(await themeOf(page)).toEqual(['light', 'light', 'dark'])
    await page.locator('nav a[href="/"]').click()
    await page.getByRole('heading', { name: 'Static' }).waitFor()
    expect(await themeOf(page)).toEqual(['dark', 'dark', 'dark'])
  })
})

describeApp('the theme components', { app: 'theme' }, (served) => {
  test('ThemeToggle has its name and its icon before it works, and cycles through the themes', async () => {
    const { page, expectQuietConsole } = await openPage(served.app, preferring(served, 'dark'))
    const release = await holdScripts(page)
    await page.goto('/', { waitUntil: 'commit' })
    const toggle = (name: string) => page.getByRole('button', { name, exact: true })
    await toggle('Theme: dark. Switch to light.').waitFor()
    expect(await page.locator('[data-hydrated=true]').count()).toBe(0)
    release()
    await ready(page)
    await toggle('Theme: dark. Switch to light.').click()
    await toggle('Theme: light. Switch to system.').press('Enter')
    await toggle('Theme: system. Switch to dark.').press('Space')
    await toggle('Theme: dark. Switch to light.').waitFor()
    expect(await page.getByRole('button', { name: /Theme:/ }).count()).toBe(1)
    expectQuietConsole()
  })

  test.each(['light', 'dark'] as const)(
    'the first click on ThemeToggle changes the page in a %s system',
    async (system) => {
      const { page } = await openPage(served.app, { colorScheme: system })
      await page.goto('/')
      await ready(page)
      const other = system === 'light' ? 'dark' : 'light'
      const toggle = (name: string) => page.getByRole('button', { name, exact: true })
      await toggle(`Theme: system. Switch to ${other}.`).click()
      expect((await themeOf(page))[0]).toBe(other)
      await toggle(`Theme: ${other}. Switch to ${system}.`).click()
      expect((await themeOf(page))[0]).toBe(system)
      await toggle(`Theme: ${system}. Switch to system.`).click()
      await toggle(`Theme: system. Switch to ${other}.`).waitFor()
    },
  )

  test('ThemeToggle is not shown if it would have no effect', async () => {
    const { page } = await openPage(served.app, { javaScriptEnabled: false })
    await page.goto('/')
    expect(await page.locator('[data-waymark-theme-toggle]').isVisible()).toBe(false)
  })

  test('ThemeSelect shows the preference and sets it', async () => {
    const { page } = await openPage(served.app, preferring(served, 'dark'))
    await page.goto('/')
    await ready(page)
    const select = page.getByLabel('Theme')
    expect(await select.inputValue()).toBe('dark')
    expect(await select.locator('option').allTextContents()).toEqual(['System', 'Light', 'Dark'])
    await select.selectOption('light')
    expect(await themeOf(page)).toEqual(['light', 'light', 'light'])
  })

  test('ThemeScope has its own theme, independent of the page’s theme', async () => {
    const { page, expectQuietConsole } = await openPage(served.app, preferring(served, 'light'))
    await page.goto('/scopes')
    await ready(page)
    const scope = page.locator('#scope')
    const style = await scope.evaluate((element) => {
      const { backgroundColor, colorScheme } = getComputedStyle(element)
      const input = element.querySelector('input') as HTMLElement
      return [backgroundColor, colorScheme, getComputedStyle(input).colorScheme]
    })
    expect(style).toEqual(['rgb(20, 30, 60)', 'dark', 'dark'])
    expect(await page.locator('#inside').textContent()).toBe('light → dark')
    expect(await page.locator('#theme').textContent()).toBe('light → light')
    expectQuietConsole()
  })

  test('the notice of a late navigation has the theme, and follows it', async () => {
    const proxy = await startFaultProxy(served.app.origin)
    onTestFinished(() => proxy.stop())
    proxy.inject({ kind: 'hang' }, { match: ({ target }) => target.includes('missing.rsc') })
    const { page } = await openPage(proxy, { colorScheme: 'dark' })
    await page.goto('/')
    await ready(page)
    await page.locator('nav a[href="/night/missing"]').click()
    const notice = page.locator('[data-waymark-notice]')
    await notice.waitFor()
    const colors = () =>
      notice.evaluate((element) => {
        const { backgroundColor, color } = getComputedStyle(element)
        return [backgroundColor, color]
      })
    expect(await colors()).toEqual(['rgb(28, 28, 30)', 'rgb(242, 242, 242)'])
    await page.getByRole('button', { name: 'light', exact: true }).first().click()
    expect(await colors()).toEqual(['rgb(255, 255, 255)', 'rgb(26, 26, 26)'])
  })

  test('no page causes a warning', async () => {
    const { page, expectQuietConsole } = await openPage(served.app, preferring(served, 'dark'))
    for (const path of ['/', '/dynamic', '/streamed', '/night', '/night/late', '/scopes']) {
      await page.goto(path)
      await ready(page)
      await page.reload()
      await ready(page)
    }
    for (const path of ['/nowhere', '/gone', '/secret', '/members', '/broken']) {
      await page.goto(path)
      await ready(page)
    }
    expectQuietConsole([/Failed to load resource/, /on purpose/])
  })
})
