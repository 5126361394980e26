import { brotliCompressSync, constants } from 'node:zlib'
import { expect, test } from 'vitest'
import { buildClientFloor } from './harness/clientFloor/build.mjs'
import { describeModes } from './harness/describeModes.ts'
import { startFaultProxy } from './harness/faults/proxy.ts'
import { isHydrated } from './harness/hydrated.ts'
import { openPage } from './harness/page.ts'
import { isReact, visitPlain } from './harness/plainVisit.ts'
import { heading, pathOf } from './harness/visit.ts'

const clientFloorBytes = async () => bytesOf(await buildClientFloor())

/**
 * Returns the compressed size of a text. With Brotli quality 11, the size varies by 0.1 kB if only
 * names change.
 */
const bytesOf = (text: string) =>
  brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }).length

const isReactRoute = (url: URL) => isReact(url.href)

describeModes('the code of a plain page', { app: 'plain', modes: ['production'] }, (served) => {
  test('loads when the page is idle, but not if the connection saves data', async () => {
    for (const saveData of [false, true]) {
      const { page } = await openPage(served.app)
      const scripts: string[] = []
      page.on('request', (request) => scripts.push(request.url()))
      await page.addInitScript((saveData) => {
        Object.defineProperty(navigator, 'connection', { value: { saveData } })
      }, saveData)
      await page.goto('/other')
      if (!saveData) await expect.poll(() => scripts.some(isReact)).toBe(true)
      await page.waitForTimeout(saveData ? 1500 : 500)
      expect(scripts.some(isReact)).toBe(!saveData)
      expect(await isHydrated(page)).toBe(false)
    }
  })

  // The floor is the size of React and its decoder (see research/bench/README.md). Each limit is
  // the number of bytes that an app without @waymark/speedups may load in addition to the floor.
  // Each limit includes 0.5 kB for Vite's helper for `import()`, and 0.2 kB for the deadline and
  // the retries that we add to this helper.
  test.each([
    ['/', 'at most 7.8 kB', async () => 7800],
    // The test removes hashes such as those in file names, which would add up to 0.2 kB.
    ['/lively', 'at most 16.0 kB over its floor', async () => (await clientFloorBytes()) + 16_000],
  ])('of %s is %s before idle', async (path, _, bound) => {
    const { page, scripts } = await visitPlain(served.app, path)
    await page.waitForLoadState('networkidle')
    expect(scripts.some(isReact)).toBe(path !== '/')
    const coreScripts = scripts.filter((url) => /\/(index|start|rolldown-runtime)-/.test(url))
    const bodies = coreScripts.map(async (url) => (await fetch(url)).text())
    const sizes = (await Promise.all(bodies)).map((body) =>
      bytesOf(body.replace(/-[\w-]{8}(?=\.)|\b[0-9a-f]{12}\b/g, 'hash')),
    )
    const total = sizes.reduce((sum, size) => sum + size)
    expect(total).toBeLessThanOrEqual(await bound())
  })

  test("shares its instance with a component's imports of react-dom", async () => {
    const { page, expectQuietConsole } = await visitPlain(served.app, '/portal')
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

  test('has no router before idle if client components have links and forms', async () => {
    const { page, scripts } = await visitPlain(served.app, '/linked')
    await page.waitForLoadState('networkidle')
    await expect.poll(() => isHydrated(page)).toBe(true)
    expect(scripts.filter((url) => /\/(?:late|lazy)-/.test(url))).toEqual([])
  })

  test('may load after the click, which is not lost', async () => {
    const { page, isSameDocument, expectQuietConsole } = await visitPlain(served.app, '/')
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

  test('waits while there is no network', async () => {
    const { page, isSameDocument } = await visitPlain(served.app, '/')
    await page.context().setOffline(true)
    await page.evaluate(() => {
      const add = self.addEventListener.bind(self)
      const listen = (...args: Parameters<typeof add>) => {
        Object.assign(self, { awaited: args[0] })
        add(...args)
      }
      self.addEventListener = listen
    })
    await page.getByRole('link', { name: 'Other' }).click()
    // Stay offline until the page waits for the network, because the document needs it as well.
    await page.waitForFunction(() => 'awaited' in self && self.awaited === 'online')
    await page.context().setOffline(false)
    await heading(page, 'Other').waitFor()
    expect([pathOf(page), await isSameDocument()]).toEqual(['/other', 1])
  })

  test('that can’t be loaded leaves navigation to the browser', async () => {
    const { page, isSameDocument } = await visitPlain(served.app, '/')
    await page.route(isReactRoute, (route) => route.abort())
    await page.getByRole('link', { name: 'Other' }).click()
    await heading(page, 'Other').waitFor()
    expect([pathOf(page), await isSameDocument()]).toEqual(['/other', 0])
  })

  test('loads the missing part of a document that was cut', async () => {
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
