import { expect, test } from 'vitest'
import { describeApp } from './harness/describeModes.ts'
import { hydrated, isHydrated } from './harness/hydrated.ts'
import { openPage } from './harness/page.ts'
import { entered, isReact, visitPlain, warmUp } from './harness/plainVisit.ts'
import { heading, pathOf } from './harness/visit.ts'
import { wake } from './harness/wake.ts'

describeApp('a page without client components', { app: 'plain' }, (served) => {
  test('runs without React until a link is clicked', async () => {
    if (served.mode === 'dev') await warmUp(served.app)
    const { page, scripts, isSameDocument, expectQuietConsole } = await visitPlain(served.app, '/')
    await page.waitForLoadState('networkidle')
    // Test this in production only, because the dev server doesn't know in advance which pages need
    // React.
    if (served.mode === 'production') {
      expect([await isHydrated(page), scripts.filter(isReact)]).toEqual([false, []])
    } else await expect.poll(() => isHydrated(page)).toBe(true)
    await page.getByRole('link', { name: 'Other' }).click()
    await heading(page, 'Other').waitFor()
    expect([pathOf(page), await page.title(), await isSameDocument()]).toEqual([
      '/other',
      'Other',
      1,
    ])
    await page.goBack()
    await heading(page, 'Home').waitFor()
    expect(await isSameDocument()).toBe(1)
    expectQuietConsole()
  })

  test('handles forms, and keeps text typed before React is loaded', async () => {
    const { page, isSameDocument, expectQuietConsole } = await visitPlain(served.app, '/')
    await page.getByLabel('Word').fill('oak')
    await wake(page)
    await expect.poll(() => isHydrated(page)).toBe(true)
    expect(await page.getByLabel('Word').inputValue()).toBe('oak')
    await page.getByRole('button', { name: 'Send' }).click()
    await heading(page, 'Got oak').waitFor()
    expect([pathOf(page), await isSameDocument()]).toEqual(['/form?word=oak', 1])
    expectQuietConsole()
  })

  test('gives fields with state the text that was typed while React was loading', async () => {
    if (served.mode === 'dev') await warmUp(served.app)
    const { page, expectQuietConsole } = await openPage(served.app)
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route(
      (url) => isReact(url.href),
      async (route) => {
        await released
        await route.continue()
      },
    )
    await page.goto('/controlled', { waitUntil: 'commit' })
    await page.getByLabel('Typed').fill('ash')
    await page.getByLabel('Told').fill('fir')
    await page.getByLabel('Chosen').selectOption('b')
    await page.getByLabel('Checked').check()
    await page.getByLabel('One b').check()
    await page.getByLabel('Ranged').fill('7')
    const caret = () =>
      page.getByLabel('Typed').evaluate((field: HTMLInputElement) => field.selectionStart)
    await page.getByLabel('Typed').evaluate((field: HTMLInputElement) => {
      field.focus()
      field.setSelectionRange(1, 1)
    })
    release()
    await expect
      .poll(() => page.locator('output').textContent())
      .toBe('ash,fir,b,yes,b,7; 6 changes')
    expect(await caret()).toBe(1)
    // Fields must keep their text when the page is rendered again.
    await page.getByRole('button', { name: 'refreshed 0' }).click()
    await page.getByRole('button', { name: 'refreshed 1' }).waitFor()
    expect(await page.getByLabel('Typed').inputValue()).toBe('ash')
    expect(await page.locator('output').textContent()).toContain('6 changes')
    expectQuietConsole()
  })

  test('streams its parts, and hydrates later without a visible change', async () => {
    const { page, expectQuietConsole } = await visitPlain(served.app, '/stream')
    await page.getByText('late part came').waitFor()
    if (served.mode === 'production') expect(await isHydrated(page)).toBe(false)
    await wake(page)
    await expect.poll(() => isHydrated(page)).toBe(true)
    await page.getByText('late part came').waitFor()
    expectQuietConsole()
  })

  test('is hydrated early if a client component appears later', async () => {
    const { page, expectQuietConsole } = await visitPlain(served.app, '/lively')
    const button = page.locator('button.named')
    await button.waitFor()
    const id = await button.getAttribute('id')
    await expect.poll(() => isHydrated(page)).toBe(true)
    await button.click()
    await page.getByText('pressed 1').waitFor()
    expect(await button.getAttribute('id')).toBe(id)
    expectQuietConsole()
  })

  test('follows a late redirect', async () => {
    const { page } = await visitPlain(served.app, '/late')
    await heading(page, 'Other').waitFor()
    expect(pathOf(page)).toBe('/other')
  })

  test('leads to a page that redirects late, without a warning', async () => {
    const { page, isSameDocument, expectQuietConsole } = await visitPlain(served.app, '/')
    await page.evaluate(() => {
      const link = document.createElement('a')
      link.href = '/late'
      document.body.append(link)
      link.click()
      link.remove()
    })
    await heading(page, 'Other').waitFor()
    expect([pathOf(page), await isSameDocument()]).toEqual(['/other', 1])
    expectQuietConsole()
  })

  test('a document for an unknown URL is not requested twice', async () => {
    const visited = await openPage(served.app)
    const paths: string[] = []
    visited.page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (/^\/(nowhere|_waymark\/data)/.test(pathname)) paths.push(pathname)
    })
    await visited.page.goto('/nowhere')
    await entered(visited.page)
    await wake(visited.page)
    await expect.poll(() => isHydrated(visited.page)).toBe(true)
    await visited.page.waitForTimeout(300)
    expect(paths).toEqual(['/nowhere'])
  })

  test.each(['no-preference', 'reduce'] as const)(
    'navigates in a view transition if it asks for one, with reduced motion: %s',
    async (reducedMotion) => {
      const { page } = await openPage(served.app, { reducedMotion })
      await page.goto('/')
      // Hydrate first, because a navigation loads a document if React is not loaded within a
      // second.
      await hydrated(page)
      await page.evaluate(() => {
        document.documentElement.setAttribute('data-view-transitions', '')
        const start = document.startViewTransition.bind(document)
        document.startViewTransition = (update) => {
          document.documentElement.setAttribute('data-transition', '')
          return start(update)
        }
      })
      await page.getByRole('link', { name: 'Other' }).click()
      await heading(page, 'Other').waitFor()
      const transitions = await page.locator('html[data-transition]').count()
      expect(transitions).toBe(reducedMotion === 'reduce' ? 0 : 1)
    },
  )

  test('scrolls to hashes, and restores the position after going back and after a reload', async () => {
    const { page } = await visitPlain(served.app, '/other')
    await page.setViewportSize({ width: 600, height: 150 })
    const scrolled = () => page.evaluate(() => window.scrollY)
    await page.locator('#box').evaluate((box) => box.scrollTo(0, 123))
    await page.locator('a[href="#end"]').evaluate((link: HTMLAnchorElement) => link.click())
    await expect.poll(scrolled).toBeGreaterThan(0)
    await page.goBack()
    await expect.poll(scrolled).toBe(0)
    expect(pathOf(page)).toBe('/other')
    await page.reload()
    await expect.poll(() => page.locator('#box').evaluate((box) => box.scrollTop)).toBe(123)
    if (served.mode === 'production') expect(await isHydrated(page)).toBe(false)
  })

  test('reports an error of the app’s own script', async () => {
    const { page } = await visitPlain(served.app, '/other')
    await page.evaluate(
      () =>
        void setTimeout(() => {
          throw new Error('from a plain script')
        }),
    )
    await expect.poll(() => served.app.logs()).toContain('from a plain script')
  })
})
