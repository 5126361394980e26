import { expect, test } from 'vitest'
import { violations } from './harness/axe.ts'
import { describeModes } from './harness/describeModes.ts'
import { digestPattern } from './harness/digests.ts'
import { hydratedElement, openPage } from './harness/page.ts'
import { pngPixel } from './harness/pngPixel.ts'
import { heading, pathOf } from './harness/visit.ts'

describeModes(
  'features of the site for readers',
  { app: 'site', modes: ['production'] },
  (served) => {
    test('search: a key opens it, arrows and Enter lead to a section', async () => {
      const { page, expectQuietConsole } = await openPage(served.app)
      const requested: string[] = []
      page.on('request', (request) => requested.push(new URL(request.url()).pathname))
      await page.goto('/guide/doctor', { waitUntil: 'networkidle' })
      expect(requested).not.toContain('/search.json')
      await page.keyboard.press('/')
      const dialog = page.getByRole('dialog', { name: 'Search' })
      await dialog.getByRole('searchbox', { name: /^Search/ }).fill('idempotency keys')
      await dialog.getByRole('status').filter({ hasText: 'result' }).waitFor()
      await page.keyboard.press('ArrowDown')
      const href = await page.evaluate(() => document.activeElement?.getAttribute('href'))
      expect(href).toMatch(/^\/guide\/[\w-]+/)
      await page.keyboard.press('Enter')
      await expect.poll(() => pathOf(page)).toBe(href)
      expect(await dialog.count()).toBe(0)
      expectQuietConsole()
    })

    test('search: Ctrl-K and the link open it, Escape restores the focus', async () => {
      const { page } = await openPage(served.app)
      await page.goto('/')
      const dialog = page.getByRole('dialog', { name: 'Search' })
      const link = page.getByRole('link', { name: 'Search' })
      await page.waitForLoadState('networkidle')
      await link.click()
      await dialog.getByRole('searchbox').fill('<b>zzz')
      await dialog.getByText('No results.').waitFor()
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'hidden' })
      expect(await link.evaluate((element) => element === document.activeElement)).toBe(true)
      await page.keyboard.press('Control+k')
      await dialog.waitFor()
    })

    test('without its index, search says so; without scripts, it is a link', async () => {
      const { page } = await openPage(served.app)
      await page.route('/search.json', (route) => route.abort())
      await page.goto('/', { waitUntil: 'networkidle' })
      await page.keyboard.press('/')
      await page.getByRole('searchbox').fill('cache')
      await page.getByText('The search index couldn’t be loaded').waitFor()
      const plain = await openPage(served.app, { javaScriptEnabled: false })
      await plain.page.goto('/')
      await plain.page.getByRole('link', { name: 'Search' }).click()
      await heading(plain.page, 'Guide').waitFor()
    })

    test('a button copies code', async () => {
      const { page, expectQuietConsole } = await openPage(served.app)
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      await page.goto('/guide/testing')
      const figure = page.locator('figure').filter({ hasText: 'npm install --save-dev vitest' })
      await (await hydratedElement(figure.getByRole('button', { name: 'Copy' }))).click()
      await figure.getByRole('button', { name: 'Copied' }).waitFor()
      const copied = await page.evaluate(() => navigator.clipboard.readText())
      expect(copied.trim()).toBe('npm install --save-dev vitest @waymark/testing')
      expectQuietConsole()
    })

    test('on a phone: contents, code with a hint that it scrolls, copying by touch', async () => {
      const { page, expectQuietConsole } = await openPage(served.app, {
        viewport: { width: 390, height: 800 },
        hasTouch: true,
        isMobile: true,
        permissions: ['clipboard-read', 'clipboard-write'],
      })
      await page.goto('/guide/actions')
      const contents = page.getByRole('navigation', { name: 'On this page' })
      await contents.getByRole('link').last().tap()
      const hash = await contents.getByRole('link').last().getAttribute('href')
      await expect.poll(() => page.evaluate(() => location.hash)).toBe(hash)
      const header = page.getByRole('banner')
      await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(800)
      expect((await header.boundingBox())?.y).toBe(0)
      // The heading must not be covered by the header, which stays on the screen.
      const top = () =>
        page.locator(hash ?? '').evaluate((each) => each.getBoundingClientRect().top)
      await expect.poll(top).toBeLessThan(800)
      expect(await top()).toBeGreaterThan((await header.boundingBox())?.height ?? 0)

      const figures = page.locator('figure')
      const wide = await figures.evaluateAll((all) =>
        all.findIndex((each) => {
          const code = each.querySelector('pre')
          return code !== null && code.scrollWidth > code.clientWidth + 48
        }),
      )
      const figure = figures.nth(wide)
      const code = figure.locator('pre')
      // Only an edge at which code is hidden must have a shadow.
      const edge = async (x: number) => pngPixel(await code.screenshot(), { x, y: 3 })
      const paper = await edge(180)
      expect(await edge(-4)).not.toBe(paper)
      expect(await edge(3)).toBe(paper)
      await code.evaluate((each) => each.scrollTo(each.scrollWidth, 0))
      await expect.poll(() => edge(-4)).toBe(paper)
      expect(await edge(3)).not.toBe(paper)
      await (await hydratedElement(figure.getByRole('button', { name: 'Copy' }))).tap()
      await figure.getByRole('button', { name: 'Copied' }).waitFor()
      const copied = await page.evaluate(() => navigator.clipboard.readText())
      expect(copied).toBe(await code.textContent())
      expectQuietConsole()
    })

    test('on a large screen: the header and the contents stay in view', async () => {
      const { page } = await openPage(served.app, { viewport: { width: 1440, height: 800 } })
      await page.goto('/guide/actions')
      await page.evaluate(() => scrollTo({ top: 1500, behavior: 'instant' }))
      await expect.poll(() => page.evaluate(() => scrollY)).toBe(1500)
      const header = await page.getByRole('banner').boundingBox()
      expect(header?.y).toBe(0)
      const contents = await page.getByRole('navigation', { name: 'On this page' }).boundingBox()
      expect(contents?.y).toBeGreaterThanOrEqual(header?.height ?? Number.NaN)
      expect((contents?.y ?? Number.NaN) + (contents?.height ?? 0)).toBeLessThan(800)
    })

    test('at 1280 px, no line of code is cut', async () => {
      // Turn scripts off, because each page would otherwise prefetch the pages that it links to.
      const options = { viewport: { width: 1280, height: 800 }, javaScriptEnabled: false }
      const { page } = await openPage(served.app, options)
      await page.goto('/guide')
      const links = page.getByRole('main').locator('a[href^="/guide/"]')
      const paths = await links.evaluateAll((all) => all.map((each) => each.getAttribute('href')))
      expect(paths.length).toBeGreaterThan(40)
      for (const path of new Set(paths)) {
        await page.goto(path ?? '')
        await page.evaluate(async () => void (await document.fonts.ready))
        const cut = await page
          .locator('figure pre')
          .evaluateAll((all) =>
            all
              .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
              .map(({ textContent }) => textContent),
          )
        expect.soft(cut, path ?? '').toEqual([])
      }
    })

    test('beside the page, the menu can be folded, and stays folded', async () => {
      const { page, expectQuietConsole } = await openPage(served.app)
      await page.goto('/guide/actions')
      const menu = page.getByRole('navigation', { name: 'Guide' })
      const overview = menu.getByRole('link', { name: 'Overview' })
      await overview.waitFor()
      // The menu unfolds only the group that contains this page.
      await menu.getByRole('link', { name: 'Server actions' }).waitFor()
      expect(await menu.getByRole('link', { name: 'Prefetching' }).isVisible()).toBe(false)
      const left = async () => (await page.getByRole('main').boundingBox())?.x ?? Number.NaN
      const before = await left()
      await hydratedElement(menu.locator('details').first())
      await menu.getByText('Contents', { exact: true }).click()
      await overview.waitFor({ state: 'hidden' })
      expect(await left()).toBeLessThan(before - 150)
      await page.reload()
      await overview.waitFor({ state: 'hidden' })
      await menu.locator('summary').first().focus()
      await page.keyboard.press('Enter')
      await overview.waitFor()
      expectQuietConsole()
    })

    test('on a phone, the menu opens over the page, and closes on a click, even without scripts', async () => {
      const phone = { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true }
      for (const javaScriptEnabled of [true, false]) {
        const { page } = await openPage(served.app, { ...phone, javaScriptEnabled })
        await page.goto('/guide/actions')
        const link = page.getByRole('link', { name: 'Forms', exact: true }).first()
        expect(await link.isVisible()).toBe(false)
        await page.getByRole('button', { name: 'Contents of the guide' }).tap()
        await link.tap()
        await heading(page, 'Forms').waitFor()
        await link.waitFor({ state: 'hidden' })
      }
    })

    test('the colours of a style sheet follow the theme control', async () => {
      const { page } = await openPage(served.app, { colorScheme: 'light' })
      await page.goto('/guide')
      const paper = () =>
        page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
      const light = await paper()
      await page.getByRole('button', { name: 'Theme: system. Switch to dark.' }).click()
      await expect.poll(paper).not.toBe(light)
    })

    test('the not-found page has header, footer and links', async () => {
      const { page } = await openPage(served.app)
      const response = await page.goto('/no/such/page')
      expect(response?.status()).toBe(404)
      await page.getByRole('banner').waitFor()
      await page.getByRole('contentinfo').waitFor()
      await heading(page, 'This page could not be found.').waitFor()
      await page.getByRole('main').getByRole('link', { name: 'The guide' }).click()
      await heading(page, 'Guide').waitFor()
    })

    test.each([
      ['/no/such/page', 404, '404: This page could not be found.', 'This page could not be found.'],
      [
        '/lab/fallbacks/missing',
        404,
        '404: This page could not be found.',
        'This page could not be found.',
      ],
      [
        '/lab/fallbacks/custom',
        404,
        '404: This page could not be found.',
        'This page could not be found.',
      ],
      ['/%E0%A4%A', 400, '400: Bad Request', 'Bad Request'],
      [
        '/lab/errors/page',
        500,
        'a server-side exception',
        'a server-side exception has occurred while loading',
      ],
      ['/lab/errors/custom', 500, '', 'Application error: a server-side exception has occurred.'],
    ])('%s shows its status, its title and the sentence', async (path, status, title, sentence) => {
      const { page } = await openPage(served.app)
      expect((await page.goto(path))?.status()).toBe(status)
      expect(await page.title()).toContain(title)
      const main = page.getByRole('main')
      await main.getByRole('heading', { level: 1 }).getByText(sentence).waitFor()
      if (status !== 500) return
      await main.getByText(digestPattern).first().waitFor()
    })

    test('a form that is posted to a route without POST shows 405', async () => {
      const { page } = await openPage(served.app)
      await page.goto('/')
      await page.evaluate(() => {
        const form = document.createElement('form')
        form.method = 'post'
        form.action = '/llms.txt'
        document.body.append(form)
        form.submit()
      })
      await heading(page, 'Method Not Allowed').waitFor()
      expect(await page.title()).toBe('405: Method Not Allowed')
    })

    test('an exception in the browser is shown as one', async () => {
      const { page } = await openPage(served.app)
      await page.goto('/lab/errors/client')
      await (await hydratedElement(page.getByRole('button', { name: 'Break it' }))).click()
      await heading(page, 'Application error: a client-side exception has occurred.').waitFor()
    })

    test('scripts of the lab may change the page before it hydrates', async () => {
      const { page, expectQuietConsole } = await openPage(served.app)
      await page.goto('/lab/scripts')
      for (const name of ['head', 'start', 'idle']) {
        await page.locator(`output[name=${name}]`, { hasText: 'ms after' }).waitFor()
      }
      await hydratedElement(page.getByRole('button', { name: 'Agree' }))
      expectQuietConsole()
    })

    test('each page of the guide links to its Markdown version', async () => {
      const html = await (await served.fetch('/guide/actions')).text()
      const [link = ''] = html.match(/<link[^>]*text\/markdown[^>]*>/) ?? []
      expect(link).toContain('rel="alternate"')
      expect(link).toContain('/guide/actions.md')
      const twin = await served.fetch('/guide/actions.md')
      expect(twin.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
      expect(await twin.text()).toMatch(/^# Server actions\n/)
      const list = await (await served.fetch('/llms.txt')).text()
      // The build doesn't know the port at which it is served.
      expect(list).not.toContain('localhost')
      expect(await (await served.fetch('/robots.txt')).text()).not.toContain('localhost')
      expect(list).toMatch(/\/guide\/actions\.md\): \w/)
      expect(await (await served.fetch('/llms-full.txt')).text()).toContain('# Server actions\n')
    })

    test.each([390, 1280])(
      'axe finds nothing at %i px, and each page has one <main>',
      async (width) => {
        const { page } = await openPage(served.app, { viewport: { width, height: 800 } })
        for (const path of [
          '/',
          '/guide/comparison',
          '/guide/actions',
          '/lab/fallbacks',
          '/changelog',
          '/no/such/page',
        ]) {
          await page.goto(path)
          await expect.poll(() => page.getByRole('main').count(), { message: path }).toBe(1)
          const wide = await page.evaluate(() => document.documentElement.scrollWidth)
          expect.soft(wide, path).toBeLessThanOrEqual(width)
          expect.soft(await violations(page), path).toEqual([])
        }
      },
    )

    test('the skip links are in a landmark, and move the focus', async () => {
      for (const viewport of [
        { width: 390, height: 800 },
        { width: 1280, height: 800 },
      ]) {
        const { page } = await openPage(served.app, { viewport })
        await page.goto('/guide/actions')
        for (const [name, target] of [
          ['Skip to content', 'main'],
          ['Skip the contents', 'page'],
        ] as const) {
          const link = page.getByRole('link', { name })
          await link.focus()
          await page.keyboard.press('Enter')
          await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe(target)
        }
        const contents = page.getByRole('navigation', { name: 'Guide' })
        expect(await contents.getByRole('link', { name: 'Skip the contents' }).count()).toBe(1)
      }
    })

    test.each([
      ['/', /^Requests per second/],
      ['/guide/comparison', /^Table: requests per second, Waymark/],
    ])('a wide table scrolls by keyboard on a phone: %s', async (path, name) => {
      const { page } = await openPage(served.app, { viewport: { width: 390, height: 800 } })
      await page.goto(path)
      const table = page.getByRole('region', { name })
      await table.focus()
      await page.keyboard.press('ArrowRight')
      await expect.poll(() => table.evaluate((element) => element.scrollLeft)).toBeGreaterThan(0)
    })

    test('an unknown page of the guide is a 404 with its screen', async () => {
      const response = await served.fetch('/guide/nonsense', { headers: { accept: 'text/html' } })
      expect(response.status).toBe(404)
      expect(response.headers.get('content-type')).toContain('text/html')
    })

    test('the reference has every export with its docstring, and the changelog exists', async () => {
      const html = await (await served.fetch('/reference/server')).text()
      for (const name of ['cacheLife', 'cookies', 'revalidateTag', 'ServerOptions']) {
        expect(html).toContain(`id="${name.toLowerCase()}"`)
      }
      expect(await (await served.fetch('/reference/vite')).text()).toContain('Default:')
      expect(await (await served.fetch('/changelog')).text()).toContain(
        'Changes that apps can notice',
      )
    })
  },
)
