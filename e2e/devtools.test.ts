import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { describeModes } from './harness/describeModes.ts'
import { content, openRoots, shortcut, tab } from './harness/devtoolsPanel.ts'
import { hydrated } from './harness/hydrated.ts'
import { openPage } from './harness/page.ts'
import { rawRequest } from './harness/rawRequest.ts'

const files = {
  'app/looked/page.tsx': `
    import { Dialog } from './dialog.tsx'
    import { visitor } from './visitor.ts'

    export default async function Page() {
      return <><h1>Hello {await visitor()}</h1><input aria-label="Name" /><Dialog /><a href="/functions">Functions</a> <a href="/functions?once" data-prefetch="false">Not ahead</a></>
    }
  `,
  'app/looked/visitor.ts': `import { cookies } from 'waymark/server'

export async function visitor() {
  const jar = await cookies()
  return jar.get('name')?.value ?? 'nobody'
}
`,
  'app/looked/dialog.tsx': `'use client'
    import { useRef } from 'react'

    export function Dialog() {
      const dialog = useRef<HTMLDialogElement>(null)
      return <>
        <button type="button" onClick={() => dialog.current?.showModal()}>Ask</button>
        <dialog ref={dialog} aria-label="Question"><button type="button">Yes</button></dialog>
      </>
    }
  `,
  'app/looked/thrown/page.tsx': `export const dynamic = 'force-dynamic'

export default async function Page() {
  throw new Error('a mistake to look up')
}
`,
}

/**
 * Opens a tab as soon as React listens for events, and stops each click for which React waits. Runs
 * in the page.
 */
function clickAsReactStarts(): void {
  const listen = document.addEventListener
  let isDone = false
  document.addEventListener = (...args: Parameters<typeof listen>) => {
    listen.apply(document, args)
    const root = document.querySelector('waymark-devtools')?.shadowRoot
    // Wait for `auxclick`, because only React listens for this event. React adds all of its
    // listeners synchronously.
    if (isDone || args[0] !== 'auxclick') return
    isDone = true
    queueMicrotask(() => root?.getElementById('tab-route')?.click())
  }
}

describeModes('the devtools', { app: 'cache', files }, (served) => {
  test('are in development only', async () => {
    const html = await (await served.fetch('/looked')).text()
    const code = await served.fetch('/_waymark/devtools/panel/mark.js')
    expect(html.includes('devtools')).toBe(served.mode === 'dev')
    expect(code.status).toBe(served.mode === 'dev' ? 200 : 404)
    const dock = await served.fetch('/_waymark/devtools/', {
      headers: { 'sec-fetch-site': 'none' },
    })
    expect(dock.status).toBe(served.mode === 'dev' ? 200 : 308)
    if (served.mode === 'dev') return
    expect((await served.fetch('/_waymark/devtools/faults')).status).toBe(404)
    const folder = join(served.app.root, '.waymark')
    const built = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    const scripts = built.filter((file) => /assets.*\.js$/.test(file))
    expect(scripts.length).toBeGreaterThan(0)
    for (const file of scripts)
      expect(readFileSync(join(folder, file), 'utf8')).not.toMatch(
        /devtools\/panel|waymark-devtools/,
      )
  })

  test('tell other sites nothing, and a GET changes nothing', async ({ skip }) => {
    if (served.mode === 'production') skip()
    const at = (name: string, init?: RequestInit) =>
      served.fetch(`/_waymark/devtools/${name}`, init)
    const sameOrigin = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' }
    expect((await at('cache', { headers: sameOrigin })).status).toBe(200)
    for (const foreign of [
      { 'sec-fetch-site': 'cross-site' },
      { origin: 'http://evil.test' },
      {},
    ]) {
      expect((await at('cache', { headers: foreign })).status).toBe(403)
      const post = {
        method: 'POST',
        headers: { ...sameOrigin, 'sec-fetch-site': '', ...foreign },
        body: '{}',
      }
      expect((await at('faults', post)).status).toBe(403)
    }
    const post = (body: string, type = 'application/json') =>
      at('faults', { method: 'POST', headers: { ...sameOrigin, 'content-type': type }, body })
    expect((await post('{}', 'text/plain')).status).toBe(415)
    expect((await post('{"faults":[{"target":"moon","kind":"hang"}]}')).status).toBe(400)
    expect((await at('route', { method: 'POST', headers: sameOrigin, body: '{}' })).status).toBe(
      405,
    )
    expect((await at('panel/../panelEndpoint.d.ts')).status).not.toBe(200)
    // With DNS rebinding, a foreign name points to this server, but pages with this name have a
    // different origin.
    const rebound = { ...sameOrigin, host: 'evil.test' }
    const reached = await rawRequest(served.app.origin, '/_waymark/devtools/cache', {
      headers: rebound,
    })
    expect(reached.status).toBe(403)
  })

  test('open by keyboard over a modal, and restore the focus', async ({ skip }) => {
    if (served.mode === 'production') skip()
    const { page, expectQuietConsole } = await openPage(served.app)
    await openRoots(page, true)
    await page.goto('/looked')
    const mark = page.getByRole('button', { name: 'Waymark devtools' })
    await mark.waitFor()
    // The panel comes after the body, so it is last in the tab order, and none of the app's
    // selectors matches it.
    expect(await page.evaluate(() => document.body.nextElementSibling?.localName)).toBe(
      'waymark-devtools',
    )
    await page.getByLabel('Name').focus()
    await page.keyboard.press(shortcut)
    await expect.poll(() => tab(page, 'Arrivals').evaluate((it) => it.matches(':focus'))).toBe(true)
    await page.keyboard.press('ArrowRight')
    expect(await tab(page, 'Faults').getAttribute('aria-selected')).toBe('true')
    await page.keyboard.press('Escape')
    expect(await page.getByLabel('Name').evaluate((it) => it.matches(':focus'))).toBe(true)
    await expect
      .poll(async () => {
        await page.getByRole('button', { name: 'Ask' }).click()
        return page.getByRole('dialog', { name: 'Question' }).count()
      })
      .toBe(1)
    // Use the devtools while a modal is open, which makes everything outside of the modal inert.
    await mark.click()
    await tab(page, 'Cache').click()
    await page.keyboard.press('Escape')
    expect(await page.getByRole('dialog', { name: 'Question' }).isVisible()).toBe(true)
    await page.keyboard.press('Escape')
    await expect
      .poll(() => page.evaluate(() => document.body.nextElementSibling?.localName))
      .toBe('waymark-devtools')
    expectQuietConsole()
  })

  test('do not appear in tests until they are opened', async ({ skip }) => {
    if (served.mode === 'production') skip()
    const { page } = await openPage(served.app)
    const loaded = page.waitForResponse(/panel\/mark\.js/)
    await page.goto('/looked')
    await (await loaded).finished()
    expect(await page.locator('waymark-devtools').count()).toBe(0)
    await page.keyboard.press(shortcut)
    await page.locator('waymark-devtools').waitFor({ state: 'attached' })
    // The panel's shadow root is closed, so a test of the app that looks for a button never finds
    // one in the panel.
    expect(await page.getByRole('tab').count()).toBe(0)
  })

  test('work while React has not hydrated the document yet', async ({ skip }) => {
    if (served.mode === 'production') skip()
    const { page } = await openPage(served.app)
    await openRoots(page, false)
    await page.addInitScript(clickAsReactStarts)
    let letReactCome = () => {}
    const ready = new Promise<void>((resolve) => {
      letReactCome = resolve
    })
    await page.route(/startReact/, (route) => ready.then(() => route.continue()))
    await page.goto('/looked')
    await page.keyboard.press(shortcut)
    await tab(page, 'Arrivals').waitFor()
    letReactCome()
    await content(page).getByText('cookies()', { exact: true }).waitFor()
  })

  test('show each load and the prefetched pages', async ({ skip }) => {
    if (served.mode === 'production') skip()
    const { page } = await openPage(served.app)
    await openRoots(page, false)
    await page.goto('/looked')
    await hydrated(page)
    await page.keyboard.press(shortcut)
    await page.getByRole('link', { name: 'Not ahead' }).click()
    await page.waitForURL('**/functions?once')
    // Select one load, because a navigation that takes too long ends in a document, which is a
    // separate load.
    const all = content(page).locator('details', { hasText: '/functions?once' })
    const arrived = all.filter({ has: page.getByText('arrived', { exact: true }) }).first()
    await arrived.waitFor()
    await arrived.locator('summary').click()
    await arrived.getByText('response starts, 200').waitFor()
    await arrived.getByText('Server-Timing').waitFor()

    // After a reload, the panel opens again automatically.
    await page.goto('/looked')
    await hydrated(page)
    await tab(page, 'Prefetch').click()
    const link = page.getByRole('link', { name: 'Functions' })
    const fetched = content(page).getByRole('row', { name: /\/functions loaded/ })
    // Repeat the hover, because the code that listens for pointer events may not be loaded yet.
    const rest = async () => {
      await page.mouse.move(0, 0)
      await link.hover()
      await fetched.waitFor({ timeout: 2000 })
      return fetched.count()
    }
    await expect.poll(() => rest().catch(() => 0)).toBe(1)
    await link.click()
    await page.waitForURL('**/functions')
    await tab(page, 'Arrivals').click()
    const prefetched = content(page).locator('details', { hasText: /prefetched/ })
    await prefetched.getByText('arrived', { exact: true }).waitFor()
  })

  test('say why a page is dynamic, what was thrown, and what is cached and sent', async ({
    skip,
  }) => {
    if (served.mode === 'production') skip()
    const { page } = await openPage(served.app)
    await openRoots(page, false)
    await served.fetch('/functions')
    await served.fetch('/looked/thrown')
    await page.goto('/looked')
    await page.keyboard.press(shortcut)
    await tab(page, 'Route').click()
    await content(page).getByText('cookies()', { exact: true }).waitFor()
    await content(page).getByText('const jar = await cookies()').waitFor()
    const opened = page.waitForRequest(/__open-in-editor\?file=/)
    await page.route('**/__open-in-editor**', (route) => route.fulfill({ status: 200 }))
    await content(page).getByRole('button', { name: 'app/looked/visitor.ts:4' }).click()
    expect(decodeURIComponent((await opened).url())).toMatch(/app\/looked\/visitor\.ts:4:\d+$/)
    await tab(page, 'Errors').click()
    await content(page).getByText('a mistake to look up').first().click()
    await content(page)
      .getByRole('button', { name: /looked\/thrown\/page\.tsx:4/ })
      .first()
      .waitFor()
    await tab(page, 'Cache').click()
    await content(page).getByRole('button', { name: 'post:1' }).click()
    await expect.poll(() => content(page).getByRole('button', { name: 'post:1' }).count()).toBe(0)
    expect(await content(page).getByRole('button', { name: 'post:2' }).count()).toBe(1)
    await tab(page, 'Payload').click()
    await content(page).getByText('client component').first().waitFor()
  })

  test('fail the requests of this browser, and no others', async ({ skip }) => {
    if (served.mode === 'production') skip()
    const { page } = await openPage(served.app)
    await openRoots(page, false)
    await page.goto('/looked')
    await page.keyboard.press(shortcut)
    await tab(page, 'Faults').click()
    const data = '/_waymark/data/looked.rsc'
    const fetchData = () =>
      page.evaluate(
        async (url) =>
          fetch(url).then(
            ({ status }) => status,
            () => 'failed',
          ),
        data,
      )
    const choose = async (name: string, kind: string) => {
      await content(page).getByLabel(name).focus()
      await content(page).getByLabel(name).selectOption(kind)
    }
    await choose('Page data', '500')
    await content(page).getByText('hit 0 requests').waitFor()
    expect([await fetchData(), (await served.fetch(data)).status]).toEqual([500, 200])
    // The focus stays on the same element, although all elements around it are new.
    expect(
      await content(page)
        .getByLabel('Page data')
        .evaluate((it) => it.matches(':focus')),
    ).toBe(true)
    await choose('Page data', 'hang')
    await content(page).getByText('hit 0 requests').waitFor()
    const hanging = fetchData()
    await content(page)
      .getByText(/hit [1-9]\d* request/)
      .waitFor()
    await content(page).getByRole('button', { name: 'Switch all off' }).click()
    // After the faults end, the hanging request may have any outcome, because a browser repeats a
    // request itself if a reused connection breaks.
    expect([await hanging, await fetchData()]).toEqual([expect.anything(), 200])
    await choose('Scripts', 'offline')
    await expect.poll(() => page.evaluate(() => navigator.onLine)).toBe(false)
    await page.reload()
    // The fault doesn't apply to the panel's own scripts, so that a person can remove the fault.
    await content(page)
      .getByText(/hit [1-9]\d* request/)
      .waitFor()
    await content(page).getByRole('button', { name: 'Switch all off' }).click()
    await expect.poll(() => page.evaluate(() => navigator.onLine)).toBe(true)
  })
})
