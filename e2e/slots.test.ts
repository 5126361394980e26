import { expect, test } from 'vitest'
import { describeApp, describeModes } from './harness/describeModes.ts'
import { documentId, heading, pathOf, visit } from './harness/visit.ts'

const session = (url: string) => [{ name: 'session', value: 'one', url }]

describeApp('a page that redirects when it is fetched again', { app: 'slots' }, (served) => {
  test('by refresh(): the target is shown under its own URL, in the same history entry', async () => {
    const { page, first } = await visit(served.app, '/open')
    await page.context().addCookies(session(served.url('/')))
    await page.evaluate(() => window.router.push('/account'))
    await heading(page, 'Account').waitFor()
    await page.context().clearCookies()
    expect(await page.evaluate(() => window.router.refresh())).toBe('committed')
    await heading(page, 'Log in').waitFor()
    expect(pathOf(page)).toBe('/login?from=account')
    await page.evaluate(() => window.router.refresh())
    expect(pathOf(page)).toBe('/login?from=account')
    await page.goBack()
    await heading(page, 'Open').waitFor()
    expect(await documentId(page)).toBe(first)
  })

  test('by going back: the target is shown under its own URL', async () => {
    const { page } = await visit(served.app, '/open')
    await page.context().addCookies(session(served.url('/')))
    await page.evaluate(() => window.router.push('/account'))
    await page.evaluate(() => window.router.push('/open'))
    await heading(page, 'Open').waitFor()
    await page.reload()
    await page.waitForFunction(() => 'router' in window)
    await page.context().clearCookies()
    await page.goBack()
    await heading(page, 'Log in').waitFor()
    expect(pathOf(page)).toBe('/login?from=account')
    await page.goForward()
    await heading(page, 'Open').waitFor()
    expect(pathOf(page)).toBe('/open')
  })
})

describeApp('a page in a modal', { app: 'slots' }, (served) => {
  test.each(['/gallery', '/pictures'])('stays there when it is fetched again: %s', async (path) => {
    const { page, link, first } = await visit(served.app, path)
    await page.locator('#gallery').click()
    await link('Photo 7')
    const modal = heading(page, 'Photo 7 in a modal')
    await modal.waitFor()
    expect(pathOf(page)).toBe(`${path}/photo/7`)
    const renderings = page.locator('.renderings')
    const before = await renderings.textContent()
    expect(await page.evaluate(() => window.router.refresh())).toBe('committed')
    await expect.poll(() => renderings.textContent()).not.toBe(before)
    expect(await modal.isVisible()).toBe(true)
    expect(await heading(page, 'Gallery').isVisible()).toBe(true)
    expect(await page.locator('#gallery').textContent()).toBe('1')
    const likes = () => served.app.logs().split('LIKED').length - 1
    const liked = likes()
    await page.getByRole('button', { name: 'Like' }).click()
    await expect.poll(likes).toBe(liked + 1)
    expect(await modal.isVisible()).toBe(true)
    await page.goBack()
    await page.getByText('no modal').waitFor()
    expect(await documentId(page)).toBe(first)
  })

  test('an address that the app sets itself opens no modal', async () => {
    const { page } = await visit(served.app, '/gallery')
    await page.evaluate(() => history.pushState(null, '', '/gallery/photo/7'))
    await page.evaluate(() => window.router.refresh())
    await heading(page, 'Photo 7 as a page').waitFor()
  })
})

describeApp('an action of the page behind a modal', { app: 'slots' }, (served) => {
  test('is guarded by proxy.ts, even if proxy.ts does not see the URL of the modal', async () => {
    const headers = { cookie: 'session=one' }
    const html = await (await served.fetch('/vault', { headers })).text()
    const id = /\$ACTION_ID_([^"]+#unlock)"/.exec(html)?.[1] ?? ''
    const send = async (cookie: string) => {
      const response = await served.fetch('/glance', {
        method: 'POST',
        body: '[]',
        headers: {
          cookie,
          'content-type': 'text/plain;charset=UTF-8',
          'sec-fetch-site': 'same-origin',
          'waymark-action': id,
          'waymark-from': '/vault',
        },
      })
      await response.text()
      return response.status
    }
    // Poll the log, because a process may print a line after its response.
    const unlocked = () => served.app.logs().split('UNLOCKED').length - 1
    const before = unlocked()
    expect(await send('')).toBe(409)
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(unlocked()).toBe(before)
    expect(await send(headers.cookie)).toBe(200)
    await expect.poll(unlocked).toBe(before + 1)
  })
})

describeApp('an action of a slot that stays', { app: 'slots' }, (served) => {
  test('is guarded by proxy.ts at its own URL', async () => {
    const html = await (await served.fetch('/tabs/news')).text()
    const id = /\$ACTION_ID_([^"]+#like)"/.exec(html)?.[1] ?? ''
    const send = async (headers: Record<string, string>) => {
      const response = await served.fetch('/tabs/plain', {
        method: 'POST',
        body: '[]',
        headers: {
          'content-type': 'text/plain;charset=UTF-8',
          'sec-fetch-site': 'same-origin',
          'waymark-action': id,
          ...headers,
        },
      })
      await response.text()
      return response.status
    }
    expect(await send({})).toBe(409)
    expect(await send({ 'waymark-beside': '/tabs/news' })).toBe(200)
    expect(await send({ 'waymark-beside': '/tabs/news', cookie: 'banned=1' })).toBe(409)
    expect(await send({ 'waymark-beside': '/open,//x,%,/tabs/none' })).toBe(409)
  })
})

describeApp('a button of a Form', { app: 'slots' }, (served) => {
  const open = async () => {
    const opened = await visit(served.app, '/find')
    await opened.page.getByRole('textbox', { name: 'Query' }).fill('tea')
    const press = (name: string) => opened.page.getByRole('button', { name, exact: true }).click()
    return { ...opened, press }
  }

  test('with a formAction leads there', async () => {
    const { page, press, first, expectQuietConsole } = await open()
    await press('Find files')
    await heading(page, 'Files').waitFor()
    expect(pathOf(page)).toBe('/found/files?q=tea')
    expect(await documentId(page)).toBe(first)
    expectQuietConsole()
  })

  test('with a function calls it in the browser', async () => {
    const { page, press, expectQuietConsole } = await open()
    await press('Note')
    await expect.poll(() => page.locator('#noted').textContent()).toBe('tea')
    expect(pathOf(page)).toBe('/find')
    expectQuietConsole()
  })

  test('with a server action calls it', async () => {
    const { page, press, first } = await open()
    await press('Save')
    await expect.poll(() => served.app.logs()).toContain('SAVED tea')
    expect(pathOf(page)).toBe('/find')
    expect(await documentId(page)).toBe(first)
  })

  test('without one submits only the fields of the form as the query', async () => {
    const { page, press } = await open()
    await press('Find')
    await heading(page, 'Found').waitFor()
    expect(pathOf(page)).toBe('/found?q=tea&by=name')
  })
})

describeApp('a modal whose slot has a page for all other URLs', { app: 'slots' }, (served) => {
  test('closes by a link to a page below its layout, and reappears on Back', async () => {
    const { page, link, first } = await visit(served.app, '/album')
    const dialog = page.getByRole('dialog')
    await link('Photo 1')
    await dialog.waitFor()
    await link('Edit')
    await heading(page, 'Edit photo 1').waitFor()
    expect(await dialog.count()).toBe(0)
    await page.goBack()
    await dialog.waitFor()
    expect(pathOf(page)).toBe('/album/photo/1')
    expect(await page.locator('h1:visible').textContent()).toBe('Album')
    expect(await documentId(page)).toBe(first)
  })

  test('has no URL of its own if the main slot has none', async () => {
    expect((await served.fetch('/album/elsewhere')).status).toBe(404)
  })
})

describeApp('a slot without content for a URL', { app: 'slots' }, (served) => {
  test('keeps its content on a navigation, and shows its default in a document', async () => {
    const { page, link, first } = await visit(served.app, '/tabs')
    expect(await page.locator('aside').textContent()).toBe('no side')
    await link('/tabs/news')
    await heading(page, 'News').waitFor()
    await page.locator('#side').click()
    await link('/tabs/plain')
    await heading(page, 'Plain').waitFor()
    expect(await page.locator('#side:visible').textContent()).toBe('1')
    expect(await page.evaluate(() => window.router.refresh())).toBe('committed')
    expect(await page.locator('#side:visible').textContent()).toBe('1')
    const likes = () => served.app.logs().split('LIKED').length - 1
    const liked = likes()
    await page.getByRole('button', { name: 'Like' }).click()
    await expect.poll(likes).toBe(liked + 1)

    expect(await page.locator('#side:visible').textContent()).toBe('1')
    expect(await documentId(page)).toBe(first)
    await page.reload()
    await heading(page, 'Plain').waitFor()
    expect(await page.locator('aside').textContent()).toBe('no side')
  })

  test('makes a URL a 404 if only another slot has a page for it, and there is no default', async () => {
    const { status } = await served.fetch('/tabs/lone')
    expect(status).toBe(404)
  })

  test('stays on a navigation to a URL for which only another slot has a page', async () => {
    const { page, link, first } = await visit(served.app, '/tabs/plain')
    await link('/tabs/lone')
    await page.getByText('alone').waitFor()
    expect(pathOf(page)).toBe('/tabs/lone')
    expect(await page.locator('h1:visible').textContent()).toBe('Plain')
    expect(await page.evaluate(() => window.router.refresh())).toBe('committed')
    expect(await page.locator('h1:visible').textContent()).toBe('Plain')
    await page.goBack()
    await page.getByText('no side').waitFor()
    expect(await documentId(page)).toBe(first)
  })

  test('for a URL with only one slot page: the rest stays, and shows its default in a document', async () => {
    const { page, link, first } = await visit(served.app, '/desk/plain')
    await page.locator('#own').click()
    await link('/desk/lone')
    await heading(page, 'Lone side').waitFor()
    expect(pathOf(page)).toBe('/desk/lone')
    expect(await page.locator('h1:visible').textContent()).toBe('Plain desk')
    expect(await page.locator('#own:visible').textContent()).toBe('1')
    expect(await documentId(page)).toBe(first)
    await page.reload()
    await heading(page, 'Desk by default').waitFor()
    await heading(page, 'Lone side').waitFor()
  })
})

describeModes(
  'a slot without a default and without pages of its own',
  { app: 'slots' },
  (served) => {
    test('shows a page in front of the page that the document showed', async () => {
      const { page, link, first } = await visit(served.app, '/open')
      const notice = heading(page, 'Notice in front')
      await link('Notice')
      await notice.waitFor()
      expect(pathOf(page)).toBe('/notice')
      expect(await heading(page, 'Open').isVisible()).toBe(true)
      await page.goBack()
      await notice.waitFor({ state: 'hidden' })
      await page.goForward()
      await notice.waitFor()
      expect(await documentId(page)).toBe(first)
    })

    test('keeps its content on a navigation, and is empty in a document', async () => {
      const { page, link } = await visit(served.app, '/open')
      const notice = heading(page, 'Notice in front')
      await link('Notice')
      await notice.waitFor()
      await link('/tabs/news')
      await heading(page, 'News').waitFor()
      expect(await notice.isVisible()).toBe(true)
      expect(await page.evaluate(() => window.router.refresh())).toBe('committed')
      expect(await notice.isVisible()).toBe(true)
      await page.reload()
      await heading(page, 'News').waitFor()
      expect(await notice.count()).toBe(0)
      await page.goto('/notice')
      await heading(page, 'Notice as a page').waitFor()
      expect(await notice.count()).toBe(0)
    })
  },
)
