import { readFileSync } from 'node:fs'
import { brotliCompressSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { buildClientFloor } from '../bench/floors/build.mjs'
import { describeModes } from './harness/describeModes.ts'
import { startFaultProxy } from './harness/faults/proxy.ts'
import { openPage } from './harness/page.ts'
import { heading, pathOf } from './harness/visit.ts'
import { wake } from './harness/wake.ts'

/** Whether React has taken over the document. */
const isHydrated = (page: Page) =>
  page.evaluate(() => Object.keys(document.body).some((key) => key.startsWith('__reactFiber')))

/** Waits for the entry: that of the dev server runs after the page has loaded. */
const entered = (page: Page) => page.waitForFunction(() => history.state?.waymark)

async function clientFloorBytes(): Promise<number> {
  return brotliCompressSync(readFileSync(await buildClientFloor())).length
}

const isReact = (url: string) => /\/(?:start|startReact)[-.]|react-dom/.test(url)

/** Opens a page in a browser that is never idle, and marks its document. */
async function visit(app: { readonly origin: string }, path: string) {
  const visited = await openPage(app)
  const { page } = visited
  const scripts: string[] = []
  page.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.push(request.url())
  })
  await page.addInitScript(() => {
    window.requestIdleCallback = () => 0
  })
  await page.goto(path)
  await entered(page)
  await page.evaluate(() => document.documentElement.setAttribute('data-same', ''))
  const isSameDocument = () => page.locator('html[data-same]').count()
  return { ...visited, scripts, isSameDocument }
}

/** The dev server transforms React's modules when they are first asked for, which takes seconds. */
async function warmUp(app: { readonly origin: string }): Promise<void> {
  const { page } = await visit(app, '/')
  await wake(page)
  await expect.poll(() => isHydrated(page), { timeout: 30_000 }).toBe(true)
  await page.close()
}

describeModes('a page without client components', { app: 'plain' }, (served) => {
  test('runs without React until a link is clicked', async () => {
    if (served.mode === 'dev') await warmUp(served.app)
    const { page, scripts, isSameDocument, expectQuietConsole } = await visit(served.app, '/')
    await page.waitForLoadState('networkidle')
    expect([await isHydrated(page), scripts.filter(isReact)]).toEqual([false, []])
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
    const { page, isSameDocument, expectQuietConsole } = await visit(served.app, '/')
    await page.getByLabel('Word').fill('oak')
    await wake(page)
    await expect.poll(() => isHydrated(page)).toBe(true)
    expect(await page.getByLabel('Word').inputValue()).toBe('oak')
    await page.getByRole('button', { name: 'Send' }).click()
    await heading(page, 'Got oak').waitFor()
    expect([pathOf(page), await isSameDocument()]).toEqual(['/form?word=oak', 1])
    expectQuietConsole()
  })

  test('streams its parts, and is taken over later without a difference', async () => {
    const { page, expectQuietConsole } = await visit(served.app, '/stream')
    await page.getByText('late part came').waitFor()
    expect(await isHydrated(page)).toBe(false)
    await wake(page)
    await expect.poll(() => isHydrated(page)).toBe(true)
    await page.getByText('late part came').waitFor()
    expectQuietConsole()
  })

  test('that turns out to have one later is taken over then', async () => {
    const { page, expectQuietConsole } = await visit(served.app, '/lively')
    const button = page.locator('button.named')
    await button.waitFor()
    const id = await button.getAttribute('id')
    await expect.poll(() => isHydrated(page)).toBe(true)
    await button.click()
    await page.getByText('pressed 1').waitFor()
    expect(await button.getAttribute('id')).toBe(id)
    expectQuietConsole()
  })

  test('follows a redirect that comes late', async () => {
    const { page } = await visit(served.app, '/late')
    await heading(page, 'Other').waitFor()
    expect(pathOf(page)).toBe('/other')
  })

  test('leads to a page that redirects late, without a complaint', async () => {
    const { page, isSameDocument, expectQuietConsole } = await visit(served.app, '/')
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
    const asked: string[] = []
    visited.page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (/^\/(nowhere|_waymark\/data)/.test(pathname)) asked.push(pathname)
    })
    await visited.page.goto('/nowhere')
    await entered(visited.page)
    await wake(visited.page)
    await expect.poll(() => isHydrated(visited.page)).toBe(true)
    await visited.page.waitForTimeout(300)
    expect(asked).toEqual(['/nowhere'])
  })

  test.each(['no-preference', 'reduce'] as const)(
    'changes in a view transition where it asks for one, with reduced motion: %s',
    async (reducedMotion) => {
      const { page } = await openPage(served.app, { reducedMotion })
      await page.goto('/')
      await entered(page)
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

  test('scrolls to hashes, back and after a reload, without React', async () => {
    const { page } = await visit(served.app, '/other')
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
    expect(await isHydrated(page)).toBe(false)
  })

  test('reports an error of the app’s own script', async () => {
    const { page } = await visit(served.app, '/other')
    await page.evaluate(
      () =>
        void setTimeout(() => {
          throw new Error('from a plain script')
        }),
    )
    await expect.poll(() => served.app.logs()).toContain('from a plain script')
  })
})

describeModes('the code of a plain page', { app: 'plain', modes: ['production'] }, (served) => {
  test('comes at idle, but not on a line that saves data', async () => {
    for (const saveData of [false, true]) {
      const { page } = await openPage(served.app)
      const scripts: string[] = []
      page.on('request', (request) => scripts.push(request.url()))
      await page.addInitScript((saveData) => {
        Object.defineProperty(navigator, 'connection', { value: { saveData } })
      }, saveData)
      await page.goto('/other')
      await page.waitForTimeout(1500)
      expect(scripts.some(isReact)).toBe(!saveData)
      expect(await isHydrated(page)).toBe(false)
    }
  })

  // The floor is React with its decoder: see bench/README.md. What the app brings comes to that.
  test.each([
    ['/', 'at most 6 kB', async () => 6000],
    // Hashes, as in names of files, are left out here: they take up to 0.2 kB of ten.
    ['/lively', 'at most 10 kB over its floor', async () => (await clientFloorBytes()) + 9_850],
  ])('of %s is %s before idle', async (path, _, bound) => {
    const { page, scripts } = await visit(served.app, path)
    await page.waitForLoadState('networkidle')
    expect(scripts.some(isReact)).toBe(path !== '/')
    const own = scripts.filter((url) => /\/(index|start|rolldown-runtime)-/.test(url))
    const bodies = own.map(async (url) => (await fetch(url)).text())
    // By chance, some compress better than others.
    const sizes = (await Promise.all(bodies)).map(
      (body) =>
        brotliCompressSync(body.replace(/-[\w-]{8}(?=\.)|\b[0-9a-f]{12}\b/g, 'hash')).length,
    )
    const total = sizes.reduce((sum, size) => sum + size)
    expect(total).toBeLessThanOrEqual(await bound())
  })

  test('is one with what a component imports of react-dom', async () => {
    const { page, expectQuietConsole } = await visit(served.app, '/portal')
    await expect.poll(() => isHydrated(page)).toBe(true)
    await page.getByRole('button', { name: 'Open' }).click()
    await page.locator('body > #opened').waitFor()
    await page.locator('output', { hasText: 'opened' }).waitFor()
    await page.locator('span', { hasText: 'at rest' }).waitFor()
    expect(await page.locator('link[rel=dns-prefetch][href="https://other.example"]').count()).toBe(
      1,
    )
    expectQuietConsole()
  })

  test('has no router before idle, where client components have links and forms', async () => {
    const { page, scripts } = await visit(served.app, '/linked')
    await page.waitForLoadState('networkidle')
    await expect.poll(() => isHydrated(page)).toBe(true)
    expect(scripts.filter((url) => /\/(?:late|lazy)-/.test(url))).toEqual([])
  })

  test('may come after the click, which is not lost', async () => {
    const { page, isSameDocument, expectQuietConsole } = await visit(served.app, '/')
    await page.route(isReactRoute, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 1200))
      await route.continue()
    })
    await page.getByRole('link', { name: 'Other' }).click()
    await page.locator('a[data-pending]').waitFor()
    await heading(page, 'Other').waitFor()
    expect([pathOf(page), await isSameDocument()]).toEqual(['/other', 1])
    expectQuietConsole()
  })

  test('is waited for while there is no network', async () => {
    const { page, isSameDocument } = await visit(served.app, '/')
    await page.context().setOffline(true)
    await page.evaluate(() => {
      const add = self.addEventListener.bind(self)
      const listen = (...given: Parameters<typeof add>) => {
        Object.assign(self, { awaited: given[0] })
        add(...given)
      }
      self.addEventListener = listen
    })
    await page.getByRole('link', { name: 'Other' }).click()
    // Back before that, the network is there for the document.
    await page.waitForFunction(() => 'awaited' in self && self.awaited === 'online')
    await page.context().setOffline(false)
    await heading(page, 'Other').waitFor()
    expect([pathOf(page), await isSameDocument()]).toEqual(['/other', 1])
  })

  test('that can’t be had leaves the way to the browser', async () => {
    const { page, isSameDocument } = await visit(served.app, '/')
    await page.route(isReactRoute, (route) => route.abort())
    await page.getByRole('link', { name: 'Other' }).click()
    await heading(page, 'Other').waitFor()
    expect([pathOf(page), await isSameDocument()]).toEqual(['/other', 0])
  })

  test('fetches the missing part of a document that was cut', async () => {
    const proxy = await startFaultProxy(served.app.origin)
    try {
      const html = await (await served.fetch('/other')).text()
      const afterBytes = html.indexOf('<main')
      proxy.inject(
        { kind: 'cut', afterBytes, ending: 'clean' },
        { match: ({ target }) => target === '/other' },
      )
      const { page } = await openPage(proxy)
      await page.goto('/other')
      await heading(page, 'Other').waitFor()
    } finally {
      await proxy.stop()
    }
  })
})

const isReactRoute = (url: URL) => isReact(url.href)
