import { describe, expect, test } from 'vitest'
import { chunkWith } from './harness/chunkWith.ts'
import { describeApp, type Served } from './harness/describeModes.ts'
import type { Fault, ProxiedRequest } from './harness/faults/fault.ts'
import { proxyBefore } from './harness/faults/proxyBefore.ts'
import { hydratedElement, openPage, type Visit } from './harness/page.ts'
import { shortTimeouts } from './harness/shortTimeouts.ts'
import { closeOverlay, heading, pathOf } from './harness/visit.ts'

const broken: Readonly<Record<string, Fault>> = {
  missing: { kind: 'replace', status: 404, body: 'not found' },
  hanging: { kind: 'hang' },
  corrupt: {
    kind: 'replace',
    status: 200,
    headers: { 'content-type': 'text/javascript' },
    body: 'const = ;',
  },
}

/** Navigation timeout that `shortTimeouts` sets, in milliseconds. */
const timeoutMs = 1500

const files = { app: 'missingCode', files: shortTimeouts }

/**
 * Returns the faults that a suite tests. In development, it is only one fault, because the code
 * that retries is the same.
 */
const faultsIn = ({ mode }: Served, inDev: keyof typeof broken) =>
  Object.entries(broken).filter(([name]) => mode === 'production' || name === inDev)

describeApp('missing code', files, (served) => {
  const proxy = proxyBefore(served, [])
  const open = () => openPage(proxy.now)

  describe.each(Object.entries(broken))('of a component of a page: %s', (_, fault) => {
    test('its HTML stays, and the rest of the page works', async () => {
      proxy.now.inject(fault, { match: requestOf(served, 'gadget of the page') })
      const { page, complaints } = await open()
      await page.addInitScript(addForeignElement)
      await page.goto('/islands')
      const notice = page.locator('[data-waymark-notice]')
      await notice.waitFor()
      // A copy of Vite's error overlay would throw this error.
      expect(complaints.filter((each) => each.includes("reading 'frame'"))).toEqual([])
      await closeOverlay(page, served.mode === 'dev' && fault === broken.corrupt)
      await expect.poll(() => countUp(page, '#menu')).toContain('menu of the layout 1')
      await expect.poll(() => countUp(page, '#counter')).toContain('counted 1')
      expect(await page.textContent('#gadget')).toBe('gadget of the page 0')
      expect(await page.textContent('main div')).toBe('gadget of the page 0 and text beside it')

      proxy.now.clear()
      await notice.getByRole('button', { name: 'Retry' }).click()
      await expect.poll(() => countUp(page, '#gadget')).toContain('gadget of the page 1')
      await expect.poll(() => notice.count()).toBe(0)
      expect(await page.textContent('#counter')).not.toBe('counted 0')
    })
  })
})

describeApp('code that is late', files, (served) => {
  const proxy = proxyBefore(served, [])

  test('works once it has loaded, without a click', async () => {
    proxy.now.inject(
      { kind: 'delay', ms: timeoutMs * 2 },
      { match: requestOf(served, 'gadget of the page') },
    )
    const { page } = await openPage(proxy.now)
    const printed: string[] = []
    page.on('console', (message) => printed.push(message.text()))
    await page.goto('/islands')
    const notice = page.locator('[data-waymark-notice]')
    await notice.waitFor()
    await expect.poll(() => notice.count(), { timeout: timeoutMs * 4 }).toBe(0)
    await expect.poll(() => countUp(page, '#gadget')).toContain('gadget of the page 1')
    const lateCode = printed.filter((text) => text.includes('did not arrive in time'))
    const hydration = printed.filter((text) => text.includes('while hydrating'))
    // In development, the console names the reason and not only that hydration has failed.
    if (served.mode === 'dev') expect([lateCode.length > 0, hydration]).toEqual([true, []])
  })
})

describeApp('code that has arrived but imports late code', files, (served) => {
  test('is not requested again', async () => {
    const { page } = await openPage(served.app)
    const scripts: string[] = []
    page.on('request', (request) => scripts.push(request.url()))
    let delayed = 0
    // Delay a chunk that the router imports, so that the router takes longer than the time after
    // which an import is repeated.
    await page.route(/\/wire-[\w-]+\.js$/, async (route) => {
      delayed++
      await new Promise((resolve) => setTimeout(resolve, timeoutMs * 0.75))
      await route.continue()
    })
    await page.goto('/islands')
    await expect.poll(() => scripts.some((url) => url.includes('/routerChunk-'))).toBe(true)
    await page.waitForFunction(() => '__waymark' in window)
    await page.waitForLoadState('networkidle')
    expect(delayed).toBe(1)
    expect(scripts.filter((url) => /[?&]retry=/.test(url))).toEqual([])
  })
})

describeApp('missing code of a layout', files, (served) => {
  const proxy = proxyBefore(served, [])

  test.each(Object.entries(broken))('%s: the page works', async (_, fault) => {
    proxy.now.inject(fault, { match: requestOf(served, 'menu of the layout') })
    const { page } = await openPage(proxy.now)
    await page.goto('/islands')
    const notice = page.locator('[data-waymark-notice]')
    await notice.waitFor()
    await closeOverlay(page, served.mode === 'dev' && fault === broken.corrupt)
    await expect.poll(() => countUp(page, '#gadget')).toContain('gadget of the page 1')
    expect(await page.textContent('#menu')).toBe('menu of the layout 0')
    proxy.now.clear()
    await notice.getByRole('button', { name: 'Retry' }).click()
    await expect.poll(() => countUp(page, '#menu')).toContain('menu of the layout 1')
  })

  // Test this in development only, because a build bundles the two modules into one file.
  test.runIf(served.mode === 'dev')('a module that it imports is loaded again, too', async () => {
    proxy.now.inject(broken.corrupt as Fault, {
      match: ({ target }) => target.includes('label.ts'),
    })
    const { page } = await openPage(proxy.now)
    await page.goto('/islands')
    const notice = page.locator('[data-waymark-notice]')
    await notice.waitFor()
    await closeOverlay(page, true)
    proxy.now.clear()
    await notice.getByRole('button', { name: 'Retry' }).click()
    await expect.poll(() => countUp(page, '#menu')).toContain('menu of the layout 1')
  })

  test('links and forms work without scripts until React has hydrated', async () => {
    proxy.now.inject({ kind: 'hang' }, { match: requestOf(served, 'menu of the layout') })
    const { page } = await openPage(proxy.now)
    await page.goto('/islands')
    await page.waitForTimeout(200)
    const navigations: string[] = []
    page.on('request', (request) => {
      if (request.isNavigationRequest()) navigations.push(new URL(request.url()).pathname)
    })
    await page.getByRole('link', { name: 'On', exact: true }).click()
    await heading(page, 'Other').waitFor()
    expect(navigations).toEqual(['/other'])
    await page.goto('/islands')
    await page.getByLabel('Word').fill('tea')
    await page.getByRole('button', { name: 'Search' }).click()
    await heading(page, 'Other').waitFor()
    expect(pathOf(page)).toBe('/other?word=tea')
  })
})

describeApp('missing code after a navigation', files, (served) => {
  const proxy = proxyBefore(served, [])

  test.each(faultsIn(served, 'missing'))('%s: the page is usable', async (_, fault) => {
    const { page } = await openPage(proxy.now)
    await page.goto('/')
    await expect.poll(() => countUp(page, '#counter')).toContain('counted 1')
    proxy.now.inject(fault, { match: requestOf(served, 'gadget of the page') })
    await page.getByRole('link', { name: 'Islands' }).click()
    await heading(page, 'Islands').waitFor()
    await page
      .locator('[data-waymark-notice]')
      .getByText("Part of this page couldn't be loaded.")
      .waitFor()
    await expect.poll(() => countUp(page, '#counter')).toContain('counted')
    expect(await page.textContent('#gadget')).toBe('gadget of the page 0')
    await page.getByRole('link', { name: 'Other' }).click()
    await heading(page, 'Other').waitFor()
  })

  test('a link next to a component whose code hangs does not wait', async () => {
    proxy.now.inject({ kind: 'hang' }, { match: requestOf(served, 'gadget of the page') })
    const { page } = await openPage(proxy.now)
    await page.goto('/islands')
    await expect.poll(() => countUp(page, '#menu')).toContain('menu of the layout 1')
    const notices: string[] = []
    await page.exposeFunction('tellNotice', (text: string) => notices.push(text))
    await page.evaluate(() => {
      const { tellNotice } = window as unknown as { tellNotice(text: string): void }
      const tell = () => {
        const notice = document.querySelector('[data-waymark-notice]')
        if (notice) tellNotice(notice.textContent)
      }
      new MutationObserver(tell).observe(document, { childList: true, subtree: true })
    })
    await page.getByRole('link', { name: 'Other' }).click()
    await heading(page, 'Other').waitFor()
    expect(notices).toEqual([])
  })

  test('typed text stays', async () => {
    proxy.now.inject(broken.missing as Fault, { match: requestOf(served, 'gadget of the page') })
    const { page } = await openPage(proxy.now)
    await page.addInitScript(() => {
      addEventListener('DOMContentLoaded', () => {
        const word = document.querySelector<HTMLInputElement>('[name=word]')
        if (word) word.value = 'tea'
      })
    })
    await page.goto('/islands')
    await page
      .locator('[data-waymark-notice]')
      .getByText("Part of this page couldn't be loaded.")
      .waitFor()
    expect(await page.inputValue('[name=word]')).toBe('tea')
    proxy.now.clear()
    await page.getByRole('button', { name: 'Retry' }).click()
    await expect.poll(() => countUp(page, '#gadget')).toContain('gadget of the page 1')
    expect(await page.inputValue('[name=word]')).toBe('tea')
  })
})

// A Retry must request these files with the same URL, because other chunks import them. With a
// different URL, the file with React would be loaded as a second React.
describeApp('late code of the framework', files, (served) => {
  const proxy = proxyBefore(served, [])

  test.runIf(served.mode === 'production').each(['start', 'routerChunk'])(
    '%s: there is one instance, and the page works',
    async (chunk) => {
      const isOfChunk = ({ target }: ProxiedRequest) => target.includes(`/${chunk}-`)
      const rule = proxy.now.inject(
        { kind: 'delay', ms: timeoutMs * 0.8 },
        { match: isOfChunk, times: 1 },
      )
      const { page } = await openPage(proxy.now)
      const errors: string[] = []
      page.on('pageerror', ({ message }) => errors.push(message))
      await page.goto('/islands')
      await expect.poll(() => countUp(page, '#menu')).toContain('layout 1')
      await expect.poll(() => countUp(page, '#gadget')).toContain('gadget of the page 1')
      await page.getByRole('link', { name: 'Other' }).click()
      await heading(page, 'Other').waitFor()
      expect(rule.hits).toBe(1)
      const fetched = proxy.now.requests.filter(isOfChunk)
      expect(fetched.some(({ target }) => target.includes('?retry='))).toBe(false)
      expect(errors).toEqual([])
    },
  )
})

describeApp('code that the app loads itself', files, (served) => {
  const proxy = proxyBefore(served, [])
  const ofPart = () => requestOf(served, 'the lazy part lives')

  async function openLazy() {
    const visit = await openPage(proxy.now)
    await visit.page.goto('/lazy')
    await hydratedElement(visit.page.locator('#open'))
    return visit.page
  }

  test.each(faultsIn(served, 'hanging'))('%s once: the code arrives', async (_, fault) => {
    const page = await openLazy()
    const rule = proxy.now.inject(fault, { match: ofPart(), times: 1 })
    await page.click('#open')
    await page.locator('#part').waitFor()
    expect(rule.hits).toBe(1)
  })

  test.each(faultsIn(served, 'corrupt'))(
    '%s permanently: the nearest error screen is shown, and its reset loads the code again',
    async (_, fault) => {
      const page = await openLazy()
      const rule = proxy.now.inject(fault, { match: ofPart() })
      const clickedAtMs = Date.now()
      await page.click('#open')
      await page.locator('#failed').waitFor()
      // The route's timeout ends imports that are still pending.
      expect(Date.now() - clickedAtMs).toBeLessThan(timeoutMs + 900)
      expect(rule.hits).toBe(fault.kind === 'hang' ? 2 : 3)
      await closeOverlay(page, served.mode === 'dev')
      proxy.now.clear()
      // Try repeatedly: React mounts the page again with the part closed, and for a third of a
      // second the import fails as before.
      const isThere = async () => {
        const button = page.locator('#failed button, #open')
        await button.click({ timeout: 500 }).catch(() => {})
        return page.locator('#part').isVisible()
      }
      await expect.poll(isThere, { interval: 400 }).toBe(true)
    },
  )

  test.each(faultsIn(served, 'missing'))(
    'import() of %s code fails in the end',
    async (_, fault) => {
      const page = await openLazy()
      proxy.now.inject(fault, { match: requestOf(served, 'the imported tool lives') })
      await page.click('#import')
      await page.getByText('import failed').waitFor()
      proxy.now.clear()
      await page.click('#import')
      await page.getByText('the imported tool lives').waitFor()
    },
  )
})

describeApp('import() in the app', files, (served) => {
  const proxy = proxyBefore(served, [])

  async function outcomeOf(path: string, name: string): Promise<string | null> {
    const { page } = await openPage(proxy.now)
    await page.goto(path)
    const button = page.locator(`#${name}`)
    await hydratedElement(button)
    await button.click()
    await expect.poll(() => button.textContent(), { timeout: timeoutMs * 2 }).toMatch(/re\w+ed/)
    return button.textContent()
  }

  test.each([
    ['/imports', 'no-exports', 'The module without exports throws.'],
    ['/imports', 'throwing', 'The module with exports throws.'],
    ['/imports', 'styled-throwing', 'The styled module throws.'],
    ['/imports/word', 'throwing', 'The module with exports throws.'],
  ])('%s: code that throws rejects (%s)', async (path, name, message) => {
    expect(await outcomeOf(path, name)).toBe(`${name} rejected: Error: ${message}`)
  })

  // Test stylesheets in production only, because the dev server sends styles as scripts.
  describe.runIf(served.mode === 'production')('whose stylesheet fails', () => {
    test.each([
      ['missing', '/imports'],
      ['hanging', '/imports'],
      ['missing', '/imports/word'],
    ])('%s, %s: the code runs', async (fault, path) => {
      proxy.now.inject(broken[fault] as Fault, { match: isStylesheet })
      expect(await outcomeOf(path, 'styled')).toBe('styled resolved')
    })

    test('code that throws rejects with its own error', async () => {
      proxy.now.inject(broken.missing as Fault, { match: isStylesheet })
      expect(await outcomeOf('/imports', 'styled-throwing')).toBe(
        'styled-throwing rejected: Error: The styled module throws.',
      )
    })
  })
})

const isStylesheet = ({ target }: ProxiedRequest) => /\.css(\?|$)/.test(target)

/** Paths of modules in development, by a text that each module contains. */
const sources: Readonly<Record<string, string>> = {
  'gadget of the page': '/app/islands/gadget.tsx',
  'menu of the layout': '/app/_ui/menu.tsx',
  'the lazy part lives': '/app/lazy/part.tsx',
  'the imported tool lives': '/app/lazy/tool.ts',
}

/** Matches requests for the file whose code contains a text, with any query. */
function requestOf(served: Served, text: string): (request: ProxiedRequest) => boolean {
  if (served.mode === 'dev') return ({ target }) => target.startsWith(`${sources[text]}`)
  const name = chunkWith(served.app.root, text)
  return ({ target }) => target.includes(name)
}

/**
 * Adds an element to the body before React hydrates the page, as extensions do. Runs in the browser,
 * before the page's scripts.
 */
function addForeignElement() {
  const add = () => document.body.append(document.createElement('foreign-element'))
  document.addEventListener('readystatechange', add, { once: true })
}

/** Clicks a button, and returns the button's text after the click. */
async function countUp(page: Visit['page'], button: string) {
  await page.click(button)
  return page.textContent(button)
}
