import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { describeApp, type Served } from './harness/describeModes.ts'
import { hydrated } from './harness/hydrated.ts'
import { openPage } from './harness/page.ts'

describeApp('actions in the browser', { app: 'actionsBrowser' }, (served) => {
  const visit = async (path: string) => {
    const opened = await openPage(served.app)
    await opened.page.goto(path)
    await hydrated(opened.page)
    return { ...opened, requests: recordRequests(opened.page) }
  }
  const runs = async (what: string) => (await runsOf(served)).filter((run) => run === what).length

  test('client components call actions from props and from imports', async () => {
    const { page, expectQuietConsole } = await visit('/code')
    await page.getByRole('button', { name: 'Passed' }).click()
    await expect.poll(() => page.textContent('#shown')).toBe('waited 5')
    await page.getByRole('button', { name: 'Transition' }).click()
    await expect.poll(() => page.textContent('#pending')).toBe('true')
    await expect.poll(() => page.textContent('#shown')).toBe('waited 300')
    expect(await page.textContent('#pending')).toBe('false')
    expectQuietConsole()
  })

  test('arguments and results can be everything that Flight supports', async () => {
    const { page, expectQuietConsole } = await visit('/code')
    await page.getByRole('button', { name: 'Everything' }).click()
    await expect
      .poll(() => page.textContent('#shown'))
      .toBe(
        '5 text 7 x+y 1+2+255 0.5 18446744073709551616 undefined,NaN,-0,Infinity streamed ' +
          '0 100000000000000000000 settled 123 bold',
      )
    expectQuietConsole()
  })

  test('calls run in parallel', async () => {
    const { page } = await visit('/code')
    await page.getByRole('button', { name: 'Two' }).click()
    await expect.poll(() => page.textContent('#shown')).toBe('together')
  })

  test('calls with one key run in the order in which a tab makes them', async () => {
    const { page } = await visit('/code')
    await page.getByRole('button', { name: 'In order' }).click()
    await expect.poll(() => page.textContent('#shown')).toBe('one,two,one')
    const runs = (await runsOf(served)).filter((run) => /^(?:left|right) /.test(run))
    const left = runs.filter((run) => run.startsWith('left'))
    expect(left).toEqual(['left one begins', 'left one ends', 'left two begins', 'left two ends'])
    expect(runs.indexOf('right one ends')).toBeLessThan(runs.indexOf('left one ends'))
  })

  test('one request brings the result and the page, and the form is reset', async () => {
    const { page, requests, expectQuietConsole } = await visit('/list')
    const text = `one ${served.mode}`
    await page.getByLabel('Text').fill(text)
    await page.getByRole('button', { name: 'Add' }).click()
    await expect.poll(() => page.textContent('#items')).toContain(text)
    await expect.poll(() => page.getByLabel('Text').inputValue()).toBe('')
    expect(requests).toEqual(['POST /list'])
    expectQuietConsole()
  })

  test('a double click runs once', async () => {
    const { page } = await visit('/list')
    await page.getByLabel('Text').fill('twice')
    await page.getByLabel('Wait').fill('300')
    await page.getByRole('button', { name: 'Add' }).dblclick()
    await expect.poll(() => page.textContent('#items')).toContain('twice')
    await page.waitForTimeout(500)
    expect(await runs('add twice')).toBe(1)
  })

  test('two calls of a form with state also run once, although React queues its calls', async () => {
    const { page } = await visit('/other')
    await page.getByLabel('Name').fill('Twice')
    await page.getByLabel('Milliseconds').fill('300')
    await page.locator('#greet').dblclick()
    await expect.poll(() => page.textContent('#greeting')).toBe('Hello Twice')
    await page.waitForTimeout(500)
    expect(await runs('greet Twice')).toBe(1)
  })

  test('an optimistic entry is replaced by the real one, and both are never shown together', async () => {
    const { page } = await visit('/optimistic')
    await page.evaluate(() => {
      const list = document.querySelector('#items') as HTMLElement
      const states: string[] = []
      Object.assign(window, { states })
      const note = () => {
        const items = [...list.children].map(({ textContent }) => textContent)
        states.push(items.filter((item) => item?.startsWith('quick')).join())
      }
      new MutationObserver(note).observe(list, {
        childList: true,
        subtree: true,
        characterData: true,
      })
    })
    await page.getByLabel('Text').fill('quick')
    await page.getByLabel('Wait').fill('300')
    await page.getByRole('button', { name: 'Add' }).click()
    await expect.poll(() => page.textContent('#items')).toMatch(/quick$/)
    const states = await page.evaluate(() => (window as unknown as { states: string[] }).states)
    expect(states.filter((state, at) => state !== states[at - 1])).toEqual(['quick …', 'quick'])
  })

  test('a navigation does not wait for an action, and the result arrives', async () => {
    const { page } = await visit('/other')
    await page.getByLabel('Name').fill('Later')
    await page.getByLabel('Milliseconds').fill('2500')
    await page.locator('#greet').click()
    await expect.poll(() => page.textContent('#greeting')).toBe('pending')
    await page.getByRole('link', { name: 'code' }).click()
    await page.getByRole('heading', { name: 'Code' }).waitFor()
    expect(await page.textContent('#greeting')).toBe('pending')
    await expect.poll(() => page.textContent('#greeting'), { timeout: 5000 }).toBe('Hello Later')
  })

  test('a late page does not replace the current one', async () => {
    const { page, requests } = await visit('/list')
    await page.getByLabel('Text').fill('late')
    await page.getByLabel('Wait').fill('1500')
    await page.getByRole('button', { name: 'Add' }).click()
    await page.getByRole('link', { name: 'other' }).click()
    await page.getByRole('heading', { name: 'Other' }).waitFor()
    const before = Number(await page.textContent('#count'))
    // The current page was rendered before the action changed the count.
    await expect.poll(async () => Number(await page.textContent('#count'))).toBe(before + 1)
    expect(new URL(page.url()).pathname).toBe('/other')
    expect(requests.filter((each) => each.startsWith('GET')).length).toBe(2)
    await page.goBack()
    await expect.poll(() => page.textContent('#items')).toContain('late')
  })
})

describeApp('actions that redirect or fail', { app: 'actionsBrowser' }, (served) => {
  const visit = async (path = '/leave') => {
    const opened = await openPage(served.app)
    await opened.page.goto(path)
    await hydrated(opened.page)
    return opened
  }
  const press = (page: Page, kind: string) =>
    page.getByRole('button', { name: kind, exact: true }).click()

  test('the router follows a redirect', async () => {
    const { page } = await visit()
    await page.evaluate(() => Object.assign(window, { same: true }))
    await press(page, 'redirect')
    await page.getByRole('heading', { name: 'Other' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/other')
    expect(await page.evaluate(() => 'same' in window)).toBe(true)
    await page.goBack()
    await page.getByRole('heading', { name: 'Leave' }).waitFor()
  })

  test('a redirect to another origin loads a document', async () => {
    const outside = served.app.origin.replace('localhost', '127.0.0.1')
    const { page } = await visit(`/leave?to=${encodeURIComponent(`${outside}/other`)}`)
    await press(page, 'outside')
    await page.waitForURL(`${outside}/other`)
  })

  test('a redirect is ignored after another navigation', async () => {
    const { page } = await visit()
    await press(page, 'slow-redirect')
    await page.getByRole('link', { name: 'list' }).click()
    await page.getByRole('heading', { name: 'List' }).waitFor()
    await page.waitForTimeout(2000)
    expect(new URL(page.url()).pathname).toBe('/list')
  })

  test.each([
    ['missing', 'Nothing of that kind', 'Gone'],
    ['forbidden', 'This page could not be accessed.', '403: This page could not be accessed.'],
  ])('%s shows its screen in place, with focus and title', async (kind, heading, title) => {
    const { page } = await visit()
    await press(page, kind)
    await page.getByRole('heading', { name: heading }).waitFor()
    await expect.poll(() => page.title()).toBe(title)
    expect(new URL(page.url()).pathname).toBe('/leave')
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('H1')
  })

  test('an error shows the nearest screen with its digest, and a retry shows the page again', async () => {
    const { page } = await visit()
    await press(page, 'fail')
    await page.getByRole('heading', { name: 'It failed' }).waitFor()
    const digest = await page.textContent('#digest')
    await expect.poll(served.app.logs).toContain(String(digest))
    expect(await page.content()).not.toContain('secret plan')
    // Dispatch the event, because in development the overlay with the same error covers the page.
    await page.getByRole('button', { name: 'Try again' }).dispatchEvent('click')
    await page.getByRole('heading', { name: 'Leave' }).waitFor()
  })
})

describeApp('forms before hydration and without scripts', { app: 'actionsBrowser' }, (served) => {
  const runs = async (what: string) => (await runsOf(served)).filter((run) => run === what).length

  test('without JavaScript, a form is a POST', async () => {
    const { page } = await openPage(served.app, { javaScriptEnabled: false })
    await page.goto('/list')
    await page.getByLabel('Text').fill('plain')
    await page.getByRole('button', { name: 'Add' }).click()
    await expect.poll(() => page.textContent('#items')).toContain('plain')
    await page.getByLabel('Name').fill('Plain')
    await page.locator('#greet').click()
    await expect.poll(() => page.textContent('#greeting')).toBe('Hello Plain')
  })

  test('without JavaScript, a double click runs once, and a form that is filled in again runs again', async () => {
    const { page } = await openPage(served.app, { javaScriptEnabled: false })
    await page.goto('/list')
    await page.getByLabel('Text').fill('double')
    await page.getByLabel('Wait').fill('300')
    const add = page.getByRole('button', { name: 'Add' })
    await add.click({ clickCount: 2, noWaitAfter: true })
    await expect.poll(() => page.textContent('#items')).toContain('double')
    expect(await runs('add double')).toBe(1)
    await page.goBack()
    await page.getByLabel('Text').fill('after going back')
    await add.click()
    await expect.poll(() => page.textContent('#items')).toContain('after going back')
    expect(await runs('add after going back')).toBe(1)
    // Submitting the same form on the page that came back in the response counts as a new submission.
    await page.getByLabel('Text').fill('after going back')
    await add.click()
    await expect.poll(() => runs('add after going back')).toBe(2)
  })

  test('the key of a form is new in each document, and hydration ignores it', async () => {
    const keys = new Set<string | null>()
    const { page, expectQuietConsole } = await openPage(served.app)
    for (let visit = 0; visit < 2; visit++) {
      await page.goto('/list')
      await hydrated(page)
      const inputs = page.locator('input[name="$ACTION_IDEMPOTENCY_KEY"]')
      for (const input of await inputs.all()) keys.add(await input.getAttribute('value'))
      expect(keys.size).toBe((visit + 1) * (await inputs.count()))
    }
    expect(keys.size).toBeGreaterThan(1)
    expectQuietConsole()
  })

  test('with blocked scripts, forms work the same', async () => {
    const { page } = await openPage(served.app)
    await page.route('**/*', (route) =>
      route.request().resourceType() === 'script' ? route.abort() : route.continue(),
    )
    await page.goto('/list')
    await page.getByLabel('Text').fill('blocked')
    await page.getByRole('button', { name: 'Add' }).click()
    await expect.poll(() => page.textContent('#items')).toContain('blocked')
    expect(await runs('add blocked')).toBe(1)
  })

  test('with slow scripts, a submission before hydration runs once', async () => {
    const { page } = await openPage(served.app)
    await page.route('**/*', async (route) => {
      if (route.request().resourceType() === 'script') await new Promise((r) => setTimeout(r, 1500))
      await route.continue().catch(() => {})
    })
    await page.goto('/list', { waitUntil: 'commit' })
    await page.getByLabel('Text').fill('early')
    await page.getByRole('button', { name: 'Add' }).click()
    await expect.poll(() => page.textContent('#items')).toContain('early')
    await page.waitForTimeout(2500)
    expect(await runs('add early')).toBe(1)
  })
})

function recordRequests(page: Page): string[] {
  const requests: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    const isPage = request.method() === 'POST' || pathname.startsWith('/_waymark/data')
    if (isPage && pathname !== '/_waymark/errors') requests.push(`${request.method()} ${pathname}`)
  })
  return requests
}

async function runsOf(served: Served): Promise<string[]> {
  return (await served.fetch('/runs')).json() as Promise<string[]>
}
