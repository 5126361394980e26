import { expect, test } from 'vitest'
import { describeApp } from './harness/describeModes.ts'
import { holdRequests } from './harness/holdRequests.ts'
import { documentId, heading, pathOf, visit } from './harness/visit.ts'

describeApp('links', { app: 'navigation' }, (served) => {
  test('lead to their page within the document, as strings and as parts', async () => {
    const { page, link, first, expectQuietConsole } = await visit(served.app, '/')
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

  test('with replace, take the place of the entry', async () => {
    const { page, link } = await visit(served.app, '/b')
    await link('Home')
    await heading(page, 'Home').waitFor()
    await link('Replacing')
    await heading(page, 'Alpha').waitFor()
    await page.goBack()
    await heading(page, 'Beta').waitFor()
  })

  test('with scroll={false}, keep the position; others start at the top', async () => {
    const { page, link } = await visit(served.app, '/')
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
    const { page, requests } = await visit(served.app, '/')
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
    expect([pathOf(page), requests]).toEqual(['/', []])
  })

  test('with a hash lead to the element, even within the page', async () => {
    const { page, link, requests } = await visit(served.app, '/')
    const top = () =>
      page
        .locator('#middle:visible')
        .evaluate((it) => Math.abs(Math.round(it.getBoundingClientRect().top)))
    await link('Middle')
    await heading(page, 'Long').waitFor()
    await expect.poll(top).toBe(0)
    expect(pathOf(page)).toBe('/long#middle')
    await page.goBack()
    await heading(page, 'Home').waitFor()
    await link('Long')
    await heading(page, 'Long').waitFor()
    const before = requests.length
    await link('To the middle')
    await expect.poll(top).toBe(0)
    expect(pathOf(page)).toBe('/long#middle')
    await page.goBack()
    await expect.poll(() => pathOf(page)).toBe('/long')
    await heading(page, 'Long').waitFor()
    await page.goBack()
    await heading(page, 'Home').waitFor()
    expect(requests.length).toBe(before)
  })

  test('show that they are pending, and block nothing else', async () => {
    const { page } = await visit(served.app, '/')
    const slow = page.getByRole('link', { name: 'Slow', exact: true })
    await slow.click()
    await page.locator('a[data-pending][aria-busy=true]').waitFor()
    await expect.poll(() => page.locator('#state').textContent()).toBe('slow')
    expect(await page.locator('#target').textContent()).toBe('/slow')
    expect(await page.locator('#link-status').textContent()).toBe('pending')
    await heading(page, 'Slow one').waitFor()
    expect(await page.locator('#state').textContent()).toBe('idle')
    expect(await page.locator('#link-status').textContent()).toBe('')
    expect(await page.evaluate(() => window.events)).toEqual([
      'start /slow',
      'slow /slow',
      'commit /slow',
    ])
    expect(await page.locator('a[data-pending]').count()).toBe(0)
  })

  test('clicked ten times, the last click wins and the others are abandoned', async () => {
    const { page, requests } = await visit(served.app, '/')
    await page.evaluate(() => {
      for (const link of document.querySelectorAll<HTMLAnchorElement>('ol a')) link.click()
    })
    await heading(page, 'Slow 9').waitFor()
    expect(pathOf(page)).toBe('/slow?ms=150&n=9')
    const events = await page.evaluate(() => window.events)
    expect(events.filter((event) => event.startsWith('abort')).length).toBe(9)
    expect(events.filter((event) => event.startsWith('commit')).length).toBe(1)
    expect(requests.length).toBeLessThanOrEqual(10)
    await page.goBack()
    await heading(page, 'Home').waitFor()
  })

  test('clicked twice, make one entry and one request', async () => {
    const { page, requests } = await visit(served.app, '/')
    await page.getByRole('link', { name: 'Slow', exact: true }).dblclick()
    await heading(page, 'Slow one').waitFor()
    expect(requests).toEqual(['/slow.rsc?ms=700'])
    await page.goBack()
    await heading(page, 'Home').waitFor()
  })
})

describeApp('the router', { app: 'navigation' }, (served) => {
  test('reports the outcome of each navigation', async () => {
    const { page } = await visit(served.app, '/')
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

  test('refresh and query changes preserve state, and refresh fetches again', async () => {
    const { page, requests, link } = await visit(served.app, '/search?q=first')
    await page.locator('#kept').click()
    await page.evaluate(() => window.router.refresh())
    expect(await page.locator('#kept').textContent()).toBe('1')
    expect(requests).toEqual(['/search.rsc?q=first'])
    await link('Second')
    await expect.poll(() => page.locator('#query:visible').textContent()).toBe('{"q":"second"}')
    expect(await page.locator('#places:visible').textContent()).toBe('/search q=second {} null ')
    expect(await page.evaluate(() => window.router.push('#here'))).toBe('committed')
    expect([pathOf(page), requests.length]).toEqual(['/search?q=second#here', 2])
  })

  test('leads to another origin with the browser', async () => {
    const { page } = await visit(served.app, '/')
    await page.route('http://elsewhere.example/**', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<h1>Elsewhere</h1>' }),
    )
    await page.evaluate(() => void window.router.push('http://elsewhere.example/page'))
    await heading(page, 'Elsewhere').waitFor()
  })

  test('follows the last click, even if a click to another origin is pending', async () => {
    const { page, first } = await visit(served.app, '/')
    const otherSite = 'http://elsewhere.example/page'
    const document = await holdRequests(page, otherSite)
    // Start the navigation without waiting, because Playwright would wait for the document before
    // it evaluates again.
    await page.evaluate((url) => {
      void window.router.push(url as '/a')
      setTimeout(() => void window.router.push('/a'), 200)
    }, otherSite)
    await heading(page, 'Alpha').waitFor()
    await document.end((route) =>
      // The browser may have abandoned the request.
      route.fulfill({ contentType: 'text/html', body: '<h1>Elsewhere</h1>' }).catch(() => {}),
    )
    await page.waitForTimeout(500)
    expect([pathOf(page), await documentId(page)]).toEqual(['/a', first])
  })

  test('cancel leaves the page as it is', async () => {
    const { page } = await visit(served.app, '/')
    const data = await holdRequests(page, /_waymark\/data\/slow/)
    await page.getByRole('link', { name: 'Slow', exact: true }).click()
    await page.locator('#cancel').click()
    await expect.poll(() => page.locator('#state').textContent()).toBe('idle')
    await data.end((route) => route.continue().catch(() => {}))
    await page.waitForTimeout(900)
    expect(pathOf(page)).toBe('/')
    await heading(page, 'Home').waitFor()
  })

  test('follows redirects and shows fallbacks within the document', async () => {
    const { page, link, first } = await visit(served.app, '/')
    await link('Moved')
    await heading(page, 'Alpha').waitFor()
    expect(pathOf(page)).toBe('/a?from=moved')
    await link('Home')
    await link('Gone')
    await heading(page, 'Nothing is here').waitFor()
    expect([pathOf(page), await documentId(page)]).toEqual(['/gone', first])
  })

  test('respects entries that the app writes', async () => {
    const { page, requests, link } = await visit(served.app, '/search?q=first')
    await page.evaluate(() => history.pushState({ mine: 1 }, '', '?q=own'))
    await expect
      .poll(() => page.locator('#places:visible').textContent())
      .toBe('/search q=own {} null ')
    await page.evaluate(() => history.replaceState({ mine: 2 }, '', '?q=own2'))
    expect(await page.evaluate(() => history.state.mine)).toBe(2)
    expect(requests).toEqual([])
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

describeApp('forms', { app: 'navigation' }, (served) => {
  test('Form leads to its page with its fields and the button', async () => {
    const { page, first } = await visit(served.app, '/')
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
    const { page, link } = await visit(served.app, '/')
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
    const dialogType = new Promise<string>((resolve) => {
      page.once('dialog', (dialog) => {
        resolve(dialog.type())
        void dialog.dismiss()
      })
    })
    await page.evaluate(() => location.reload())
    expect(await dialogType).toBe('beforeunload')
    await page.evaluate(() => history.back())
    await page.getByRole('button', { name: 'Leave' }).click()
    await heading(page, 'Home').waitFor()
    expect(pathOf(page)).toBe('/')
  })
})
