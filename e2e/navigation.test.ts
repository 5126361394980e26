import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type {} from './fixtures/navigation/app/_ui/tools.tsx'
import { describeModes, type Served } from './harness/describeModes.ts'
import { hydrated } from './harness/hydrated.ts'
import { openPage } from './harness/page.ts'

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true })
const pathOf = (page: Page) => page.url().slice(new URL(page.url()).origin.length)
const documentId = (page: Page) => page.evaluate(() => window.documentId)

/** Opens a page of the app, hydrated, with its requests for page data counted. */
async function visit(served: Served, path: string) {
  const opened = await openPage(served.app)
  const { page } = opened
  const asked: string[] = []
  page.on('request', (request) => {
    if ('waymark-prefetch' in request.headers()) return
    const { pathname, search } = new URL(request.url())
    if (pathname.startsWith('/_waymark/data')) asked.push(pathname.slice(14) + search)
  })
  await page.goto(path)
  await hydrated(page)
  await page.waitForFunction(() => 'router' in window)
  const link = (name: string) => page.getByRole('link', { name, exact: true }).click()
  return { ...opened, asked, link, first: await documentId(page) }
}

describeModes('links', { app: 'navigation' }, (served) => {
  test('lead to their page within the document, as strings and as parts', async () => {
    const { page, link, first, expectQuietConsole } = await visit(served, '/')
    await link('Alpha')
    await heading(page, 'Alpha').waitFor()
    expect([pathOf(page), await page.title()]).toEqual(['/a', 'Alpha | Navigation'])
    expect(await page.locator('#places:visible').textContent()).toBe('/a  {} null ')
    await link('Home')
    await link('By parts')
    await heading(page, 'Search').waitFor()
    expect(await page.locator('#query:visible').textContent()).toBe('{"q":"parts"}')
    expect(await documentId(page)).toBe(first)
    expectQuietConsole()
  })

  test('replace takes the place of the entry', async () => {
    const { page, link } = await visit(served, '/b')
    await link('Home')
    await heading(page, 'Home').waitFor()
    await link('Replacing')
    await heading(page, 'Alpha').waitFor()
    await page.goBack()
    await heading(page, 'Beta').waitFor()
  })

  test('scroll={false} stays where it is, others begin at the top', async () => {
    const { page, link } = await visit(served, '/')
    const scrollTo = (y: number) => page.evaluate((top) => window.scrollTo(0, top), y)
    const scrolled = () => page.evaluate(() => window.scrollY)
    await scrollTo(120)
    await page.getByRole('link', { name: 'Unscrolled' }).dispatchEvent('click')
    await heading(page, 'Long').waitFor()
    expect(await scrolled()).toBe(120)
    await link('Home')
    await heading(page, 'Home').waitFor()
    expect(await scrolled()).toBe(0)
    await link('Long from below')
    await heading(page, 'Long').waitFor()
    await expect.poll(scrolled).toBe(0)
  })

  test('leave modified clicks, targets and downloads to the browser', async () => {
    const { page, asked } = await visit(served, '/')
    for (const click of [
      () => page.getByRole('link', { name: 'Alpha' }).click({ modifiers: ['Control'] }),
      () => page.getByRole('link', { name: 'New tab' }).click(),
    ]) {
      const [tab] = await Promise.all([page.context().waitForEvent('page'), click()])
      await heading(tab, 'Alpha').waitFor()
      await tab.close()
    }
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('file.txt')
    expect([pathOf(page), asked]).toEqual(['/', []])
  })

  test('with a hash lead to the element, also within the page', async () => {
    const { page, link, asked } = await visit(served, '/')
    const top = () => page.locator('#middle').evaluate((it) => it.getBoundingClientRect().top)
    await link('Middle')
    await heading(page, 'Long').waitFor()
    await expect.poll(top).toBe(0)
    expect(pathOf(page)).toBe('/long#middle')
    await page.goBack()
    await heading(page, 'Home').waitFor()
    await link('Long')
    await heading(page, 'Long').waitFor()
    const before = asked.length
    await link('To the middle')
    await expect.poll(top).toBe(0)
    expect(pathOf(page)).toBe('/long#middle')
    await page.goBack()
    await expect.poll(() => pathOf(page)).toBe('/long')
    await heading(page, 'Long').waitFor()
    await page.goBack()
    await heading(page, 'Home').waitFor()
    expect(asked.length).toBe(before)
  })

  test('show that they are pending, and nothing else waits', async () => {
    const { page } = await visit(served, '/')
    const slow = page.getByRole('link', { name: 'Slow', exact: true })
    await slow.click()
    await page.locator('a[data-pending][aria-busy=true]').waitFor()
    await expect.poll(() => page.locator('#state').textContent()).toBe('slow')
    expect(await page.locator('#target').textContent()).toBe('/slow')
    await heading(page, 'Slow one').waitFor()
    expect(await page.locator('#state').textContent()).toBe('idle')
    expect(await page.evaluate(() => window.events)).toEqual([
      'start /slow',
      'slow /slow',
      'commit /slow',
    ])
    expect(await page.locator('a[data-pending]').count()).toBe(0)
  })

  test('the last of ten clicks wins, the others are given up', async () => {
    const { page, asked } = await visit(served, '/')
    await page.evaluate(() => {
      for (const link of document.querySelectorAll<HTMLAnchorElement>('ol a')) link.click()
    })
    await heading(page, 'Slow 9').waitFor()
    expect(pathOf(page)).toBe('/slow?ms=150&n=9')
    const events = await page.evaluate(() => window.events)
    expect(events.filter((event) => event.startsWith('abort')).length).toBe(9)
    expect(events.filter((event) => event.startsWith('commit')).length).toBe(1)
    expect(asked.length).toBeLessThanOrEqual(10)
    await page.goBack()
    await heading(page, 'Home').waitFor()
  })

  test('clicked twice make one entry and one request', async () => {
    const { page, asked } = await visit(served, '/')
    await page.getByRole('link', { name: 'Slow', exact: true }).dblclick()
    await heading(page, 'Slow one').waitFor()
    expect(asked).toEqual(['/slow.rsc?ms=700'])
    await page.goBack()
    await heading(page, 'Home').waitFor()
  })
})

describeModes('the router', { app: 'navigation' }, (served) => {
  test('tells what became of each navigation', async () => {
    const { page } = await visit(served, '/')
    const outcomes = await page.evaluate(async () => {
      const { router } = window
      const slow = router.push('/slow?ms=2000')
      const second = router.push('/a')
      const canceling = new AbortController()
      const results = [await slow, await second, await router.replace('/b')]
      const canceled = router.push('/slow?ms=2000', { signal: canceling.signal })
      canceling.abort()
      return [...results, await canceled, await router.refresh()]
    })
    expect(outcomes).toEqual(['superseded', 'committed', 'committed', 'canceled', 'committed'])
    expect(pathOf(page)).toBe('/b')
    await page.goBack()
    await heading(page, 'Home').waitFor()
  })

  test('refresh keeps state and fetches anew; query changes keep state, too', async () => {
    const { page, asked, link } = await visit(served, '/search?q=first')
    await page.locator('#kept').click()
    await page.evaluate(() => window.router.refresh())
    expect(await page.locator('#kept').textContent()).toBe('1')
    expect(asked).toEqual(['/search.rsc?q=first'])
    await link('Second')
    await expect.poll(() => page.locator('#query:visible').textContent()).toBe('{"q":"second"}')
    expect(await page.locator('#places:visible').textContent()).toBe('/search q=second {} null ')
    expect(await page.evaluate(() => window.router.push('#here'))).toBe('committed')
    expect([pathOf(page), asked.length]).toEqual(['/search?q=second#here', 2])
  })

  test('leads to another origin by the browser', async () => {
    const { page } = await visit(served, '/')
    await page.route('http://elsewhere.example/**', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<h1>Elsewhere</h1>' }),
    )
    await page.evaluate(() => void window.router.push('http://elsewhere.example/page'))
    await heading(page, 'Elsewhere').waitFor()
  })

  test('cancel leaves the page as it is', async () => {
    const { page } = await visit(served, '/')
    await page.getByRole('link', { name: 'Slow', exact: true }).click()
    await page.locator('#cancel').click()
    await expect.poll(() => page.locator('#state').textContent()).toBe('idle')
    await page.waitForTimeout(900)
    expect(pathOf(page)).toBe('/')
    await heading(page, 'Home').waitFor()
  })

  test('follows redirects and shows fallbacks within the document', async () => {
    const { page, link, first } = await visit(served, '/')
    await link('Moved')
    await heading(page, 'Alpha').waitFor()
    expect(pathOf(page)).toBe('/a?from=moved')
    await link('Home')
    await link('Gone')
    await heading(page, 'Nothing is here').waitFor()
    expect([pathOf(page), await documentId(page)]).toEqual(['/gone', first])
  })

  test('respects entries that the app writes', async () => {
    const { page, asked, link } = await visit(served, '/search?q=first')
    await page.evaluate(() => history.pushState({ mine: 1 }, '', '?q=own'))
    await expect
      .poll(() => page.locator('#places:visible').textContent())
      .toBe('/search q=own {} null ')
    await page.evaluate(() => history.replaceState({ mine: 2 }, '', '?q=own2'))
    expect(await page.evaluate(() => history.state.mine)).toBe(2)
    expect(asked).toEqual([])
    await page.goBack()
    await expect
      .poll(() => page.locator('#places:visible').textContent())
      .toBe('/search q=first {} null ')
    await page.goForward()
    await expect
      .poll(() => page.locator('#places:visible').textContent())
      .toBe('/search q=own2 {} null ')
    await link('Alpha')
    await heading(page, 'Alpha').waitFor()
  })
})

describeModes('forms', { app: 'navigation' }, (served) => {
  test('Form leads to its page with its fields and the button', async () => {
    const { page, first } = await visit(served, '/')
    await page.getByLabel('Query').fill('two words')
    await page.getByRole('button', { name: 'Search' }).click()
    await heading(page, 'Search').waitFor()
    expect(pathOf(page)).toBe('/search?q=two+words&by=button')
    expect(await documentId(page)).toBe(first)
    const query = page.getByRole('textbox', { name: 'Query' })
    await query.fill('again')
    await query.press('Enter')
    await expect.poll(() => pathOf(page)).toBe('/search?q=again')
    await page.goBack()
    await heading(page, 'Home').waitFor()
  })

  test('a blocker holds links, back and the document while a form is dirty', async () => {
    const { page, link } = await visit(served, '/')
    await page.evaluate(() => window.router.push('/editor'))
    await page.getByLabel('Text').fill('unsaved')
    await link('Alpha')
    await page.getByText('Leave for /a?').waitFor()
    await page.getByRole('button', { name: 'Stay' }).click()
    await page.evaluate(() => history.back())
    await page.getByText('Leave for /?').waitFor()
    await page.getByRole('button', { name: 'Stay' }).click()
    await expect.poll(() => pathOf(page)).toBe('/editor')
    expect(await page.getByLabel('Text').inputValue()).toBe('unsaved')
    const asked = new Promise<string>((resolve) => {
      page.once('dialog', (dialog) => {
        resolve(dialog.type())
        void dialog.dismiss()
      })
    })
    await page.evaluate(() => location.reload())
    expect(await asked).toBe('beforeunload')
    await page.evaluate(() => history.back())
    await page.getByRole('button', { name: 'Leave' }).click()
    await heading(page, 'Home').waitFor()
    expect(pathOf(page)).toBe('/')
  })
})

describeModes('back and forward', { app: 'navigation' }, (served) => {
  test('show the page as it was left, without a request', async () => {
    const { page, asked, link } = await visit(served, '/long')
    const note = page.getByRole('textbox', { name: 'Note' })
    await note.fill('typed')
    await page.evaluate(() => window.scrollTo(0, 2500))
    await page.locator('#box').evaluate((box) => box.scrollTo(0, 333))
    await page.getByRole('link', { name: 'Leave from below' }).dispatchEvent('click')
    await heading(page, 'Alpha').waitFor()
    await page.locator('#own').click()
    expect(await page.evaluate(() => window.scrollY)).toBe(0)
    await page.goBack()
    await heading(page, 'Long').waitFor()
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(2500)
    expect(await page.locator('#box').evaluate((box) => box.scrollTop)).toBe(333)
    expect(await note.inputValue()).toBe('typed')
    await page.goForward()
    await heading(page, 'Alpha').waitFor()
    expect(await page.locator('#own').textContent()).toBe('1')
    expect(asked).toEqual(['/a.rsc'])
    // A new visit by a link is a new page.
    await link('Long')
    await heading(page, 'Long').waitFor()
    expect(await note.inputValue()).toBe('')
  })

  test('scroll positions outlive the document', async () => {
    const { page } = await visit(served, '/long')
    await page.evaluate(() => window.scrollTo(0, 1500))
    await page.reload()
    await hydrated(page)
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(1500)
    await page.locator('#box').evaluate((box) => box.scrollTo(0, 222))
    await page.goto('/file.txt')
    await page.goBack()
    await heading(page, 'Long').waitFor()
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(1500)
    await expect.poll(() => page.locator('#box').evaluate((box) => box.scrollTop)).toBe(222)
  })

  test('win over a navigation that is pending', async () => {
    const { page, link } = await visit(served, '/a')
    await link('Beta')
    await heading(page, 'Beta').waitFor()
    await page.evaluate(() => void window.router.push('/slow?ms=1000'))
    await page.goBack()
    await heading(page, 'Alpha').waitFor()
    await page.waitForTimeout(1200)
    expect(pathOf(page)).toBe('/a')
    await page.goForward()
    await heading(page, 'Beta').waitFor()
  })
})

describeModes('what is shared', { app: 'navigation' }, (served) => {
  test('layouts stay mounted, pages are new, templates mount anew', async () => {
    const { page, link } = await visit(served, '/section/1')
    await page.locator('#shared').click()
    await page.locator('#own-1').click()
    expect(await page.locator('#section').textContent()).toBe('/section/1  {"id":"1"} 1 1')
    await link('Two')
    await heading(page, 'Section 2').waitFor()
    expect(await page.locator('#shared').textContent()).toBe('1')
    expect(await page.locator('#section').textContent()).toBe('/section/2  {"id":"2"} 2 2')
    await link('One')
    await heading(page, 'Section 1').waitFor()
    expect(await page.locator('#own-1:visible').textContent()).toBe('0')
    expect(await page.locator('#shared').textContent()).toBe('1')

    await page.evaluate(() => window.router.push('/fresh/1'))
    await page.locator('#template').click()
    await link('Next one')
    await heading(page, 'Fresh 2').waitFor()
    expect(await page.locator('#template:visible').textContent()).toBe('0')
  })

  test('a navigation asks for what is missing only', async () => {
    const { page, link } = await visit(served, '/section/1')
    const [request] = await Promise.all([
      page.waitForRequest((asked) => asked.url().includes('/_waymark/data/')),
      link('Two'),
    ])
    const shared = await (await request.response())?.body()
    const whole = await served.fetch('/_waymark/data/section/2.rsc')
    expect(shared?.length).toBeLessThan((await whole.text()).length)
    expect(String(shared)).not.toContain('"One"')
  })

  test('a slot shows an intercepted page over the one below; a reload shows it whole', async () => {
    const { page, link } = await visit(served, '/gallery')
    await page.locator('#gallery').click()
    await page.getByText('no modal').waitFor()
    await link('Photo 7')
    await heading(page, 'Photo 7 in a modal').waitFor()
    await heading(page, 'Gallery').waitFor()
    expect(pathOf(page)).toBe('/gallery/photo/7')
    expect(await page.locator('#gallery').textContent()).toBe('1')
    await page.goBack()
    await page.getByText('no modal').waitFor()
    expect(await heading(page, 'Photo 7 in a modal').isVisible()).toBe(false)
    await page.goForward()
    await heading(page, 'Photo 7 in a modal').waitFor()
    await page.reload()
    await heading(page, 'Photo 7 as a page').waitFor()
    expect(await heading(page, 'Gallery').count()).toBe(0)
  })
})

describeModes('arriving', { app: 'navigation' }, (served) => {
  test('moves focus to the heading and announces the title', async () => {
    const { page } = await visit(served, '/')
    await page.getByRole('link', { name: 'Alpha' }).focus()
    await page.keyboard.press('Enter')
    await heading(page, 'Alpha').waitFor()
    const focused = () => page.evaluate(() => document.activeElement?.textContent)
    await expect.poll(focused).toBe('Alpha')
    expect(await page.locator('[aria-live=polite]').textContent()).toBe('Alpha | Navigation')
    await page.goBack()
    await heading(page, 'Home').waitFor()
    await expect.poll(() => page.locator('[aria-live=polite]').textContent()).toBe('Home')
    // From the heading on, the keyboard goes on within the page.
    await page.keyboard.press('Tab')
    expect(await focused()).toBe('By parts')
  })

  test('streams what is late after the page is there', async () => {
    const { page, link } = await visit(served, '/')
    await link('Parts')
    await heading(page, 'Parts').waitFor()
    await page.getByText('second is coming').waitFor()
    await page.getByText('first came').waitFor()
    await page.getByText('second came').waitFor()
  })

  test('a transition of the app that never ends holds no navigation', async () => {
    const { page, link } = await visit(served, '/busy')
    await page.locator('#busy').click()
    await page.getByText('busy for ever').waitFor()
    await link('Alpha')
    await heading(page, 'Alpha').waitFor()
    await page.goBack()
    await heading(page, 'Busy').waitFor()
  })
})
